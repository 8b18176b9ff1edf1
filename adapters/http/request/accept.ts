import type { IncomingMessage } from 'node:http';

const RANGE = /^\s*([^\s;/]+)\/([^\s;/]+)\s*(?:;(.*))?$/s;
const PARAMETER = /(?:^|;)\s*q\s*=([^;]*)/i;
const WEIGHT = /^\s*[01](?:\.\d{0,3})?\s*$/;

/**
 * Whether somebody would rather have a page than JSON (RFC 9110 §12.5.1), as browsers say when they open an address.
 * Saying nothing, accepting everything and liking both alike mean JSON.
 */
export function prefersHtml({ headers: { accept } }: IncomingMessage): boolean {
  if (accept === undefined || !/text\//i.test(accept)) return false;
  return weightOf(accept, 'text', 'html') > weightOf(accept, 'application', 'json');
}

/** The weight of the most telling range that fits a type; 0 where none does. */
function weightOf(accept: string, type: string, subtype: string): number {
  const best = { rank: 0, weight: 0 };
  for (const range of accept.split(',')) {
    const [found, main = '', sub = '', parameters = ''] = RANGE.exec(range.toLowerCase()) ?? [];
    const fits = (main === type || main === '*') && (sub === subtype || sub === '*');
    if (found === undefined || !fits) continue;
    const rank = Number(main === type) + Number(sub === subtype) + 1;
    const [, said = '1'] = PARAMETER.exec(parameters) ?? [];
    const weight = WEIGHT.test(said) ? Math.min(1, Number(said)) : 0;
    if (rank > best.rank || (rank === best.rank && weight > best.weight))
      Object.assign(best, { rank, weight });
  }
  return best.weight;
}
