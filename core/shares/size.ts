const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes for people, rounded down so that nothing larger is promised. */
export function sizeInWords(bytes: number): string {
  let [size, unit] = [bytes, 'bytes'];
  for (const next of UNITS) {
    if (size < 1_024) break;
    [size, unit] = [size / 1_024, next];
  }
  const rounded = unit === 'bytes' || size >= 10 ? Math.floor(size) : Math.floor(size * 10) / 10;
  return `${rounded} ${unit}`;
}
