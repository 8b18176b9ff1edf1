/** A tag with at most a region, which is as much as an editor tells apart (`de`, `pt-BR`). */
const TAG = /^([a-z]{2,3})(?:-(?:[a-z]{4}-)?([a-z]{2}))?(?:-|$)/i;

/** The preferred language of an `Accept-Language` header (RFC 9110 §12.5.4); `en` without one. */
export function preferredLanguage(header: string): string {
  let wanted = 'en';
  let best = 0;
  for (const entry of header.split(',').slice(0, 50)) {
    const [range = '', ...parameters] = entry.split(';');
    const [tag, language, region] = TAG.exec(range.trim()) ?? [];
    const weight = weightIn(parameters);
    // Of two with the same weight the first wins.
    if (tag === undefined || language === undefined || !(weight > best)) continue;
    best = weight;
    wanted = language.toLowerCase() + (region === undefined ? '' : `-${region.toUpperCase()}`);
  }
  return wanted;
}

function weightIn(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [, weight] = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(parameter) ?? [];
    if (weight !== undefined) return Number(weight);
  }
  return 1;
}
