import { cpus } from 'node:os';
import type { Comparison } from './objects.ts';

export interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly 'at most': number;
  readonly unit: string;
}

export const machine = {
  cpu: cpus()[0]?.model ?? '',
  cores: cpus().length,
  node: process.version,
};

/** One line of the printed table: the service, and its baselines. */
export const tableOf = (each: Comparison) => ({
  database: each.database,
  operation: each.operation,
  'requests/s': each.service.perSecond,
  'p50 ms': each.service.p50,
  'p99 ms': each.service.p99,
  'CPU µs': each.service.cpuMicros,
  'bare µs': each.bare.cpuMicros,
  'guarded µs': each.guarded.cpuMicros,
  '× bare': each.bareRatio,
  '× guarded': each.guardedRatio,
  'at most': `${each.atMost} ${each.against}`,
  growth: each.growth,
  'memory MB': each.service.residentMB,
});

const WIDTH = 900;
const LEFT = 330;
const ROW = 22;
const MOST = 5;

/** Bars of CPU time relative to the baseline, with a line at the limit. */
export function chartOf(compared: readonly Comparison[]): string {
  const scale = (WIDTH - LEFT - 60) / MOST;
  const rows = compared.map(({ database, operation, ratio, atMost, against }, i) => {
    const y = 50 + i * ROW;
    const at = (value: number) => Math.round(LEFT + Math.min(value, MOST) * scale);
    const fill = ratio <= atMost ? '#2f7d5b' : '#b4552d';
    return [
      `<text x="${LEFT - 8}" y="${y + 13}" text-anchor="end">${escaped(`${database}: ${operation}`)}</text>`,
      `<rect x="${LEFT}" y="${y + 2}" width="${at(ratio) - LEFT}" height="${ROW - 7}" fill="${fill}"/>`,
      `<path d="M${at(atMost)} ${y}v${ROW - 3}" stroke="#222" stroke-width="2"/>`,
      `<text x="${Math.max(at(ratio), at(atMost)) + 6}" y="${y + 13}">${ratio} × ${against}</text>`,
    ].join('');
  });
  const height = 60 + compared.length * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="24" font-size="15">Processor time per request against the limit; the line is the most it may take</text>
${rows.join('\n')}
</svg>
`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
