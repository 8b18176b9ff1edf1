type UseCase<D, A extends unknown[], R> = (deps: D, ...args: A) => R;
type AnyUseCases = Record<string, UseCase<never, never[], unknown>>;
type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (
  i: infer I,
) => void
  ? I
  : never;

/** The dependencies of all use cases together. */
export type DepsOf<U extends AnyUseCases> = UnionToIntersection<Parameters<U[keyof U]>[0]>;
export type Bound<U extends AnyUseCases> = {
  readonly [K in keyof U]: U[K] extends (deps: never, ...args: infer A) => infer R
    ? (...args: A) => R
    : never;
};

/** Supplies the first argument of every use case: `bind({ editObject }, deps).editObject(caller, …)`. */
export function bind<U extends AnyUseCases>(useCases: U, deps: DepsOf<U>): Bound<U> {
  const entries = Object.entries(useCases).map(([name, run]) => [
    name,
    (...args: unknown[]) => (run as UseCase<unknown, unknown[], unknown>)(deps, ...args),
  ]);
  return Object.fromEntries(entries) as Bound<U>;
}
