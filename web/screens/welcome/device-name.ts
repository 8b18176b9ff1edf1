const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /Chrom(?:e|ium)\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
];
const DEVICES: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMac/],
  ['Linux', /\bLinux\b/],
];

/** `Linux, Chrome`: what the browser calls its device. */
export function deviceName(): string {
  const named = [DEVICES, BROWSERS].flatMap((names) => {
    const found = names.find(([, pattern]) => pattern.test(navigator.userAgent));
    return found ? [found[0]] : [];
  });
  return named.join(', ');
}
