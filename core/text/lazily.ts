/**
 * Makes a value at the first call and keeps it. For patterns that are expensive to compile: a process that starts does
 * not wait for what it may never need.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
