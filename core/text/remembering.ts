/**
 * The same function with a memory of its last answers: at least `kept` of them and at most twice as many. Words recur
 * so much that a few ten thousand spare almost all of the work.
 */
export function remembering<T>(kept: number, compute: (key: string) => T): (key: string) => T {
  let recent = new Map<string, T>();
  let older = new Map<string, T>();
  return (key) => {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const value = older.get(key) ?? compute(key);
    recent.set(key, value);
    if (recent.size >= kept) [older, recent] = [recent, new Map<string, T>()];
    return value;
  };
}
