import type { IncomingMessage } from 'node:http';

const RANGE = /^\s*([^\s;/]+)\/([^\s;/]+)\s*(?:;(.*))?$/s;
const PARAMETER = /(?:^|;)\s*q\s*=([^;]*)/i;
const WEIGHT = /^\s*[01](?:\.\d{0,3})?\s*$/;

/**
 * Whether the client prefers HTML to JSON (RFC 9110 §12.5.1), as browsers do when they open a URL. JSON wins without
 * `Accept`, with equal weights, and if everything is accepted.
 */
export function prefersHtml({ headers: { accept } }: IncomingMessage): boolean {
  if (accept === undefined || !/text\//i.test(accept)) return false;
  return weightOf(accept, 'text', 'html') > weightOf(accept, 'application', 'json');
}

/** The weight of the most specific range that matches a type; 0 if none does. */
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
