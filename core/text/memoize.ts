/**
 * Memoizes a function with a bounded cache: at least the last `stored` results and at most twice as many. Words repeat
 * so often that a cache of some ten thousand saves almost all of the work.
 */
export function memoize<T>(stored: number, compute: (key: string) => T): (key: string) => T {
  let recent = new Map<string, T>();
  let older = new Map<string, T>();
  return (key) => {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const value = older.get(key) ?? compute(key);
    recent.set(key, value);
    if (recent.size >= stored) [older, recent] = [recent, new Map<string, T>()];
    return value;
  };
}
