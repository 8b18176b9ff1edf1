import encodeQR from 'qr';
import { t } from '../../i18n/shares.ts';

/** The quiet zone that scanners need around a code, in modules. */
const QUIET = 4;

/** An address as a code that a camera reads. */
export default function QrCode({ text }: { text: string }) {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  const size = modules.length;
  // One run of dark modules after the other, so that no seams are seen between them.
  const path = modules.flatMap((row, y) => runsOf(row).map(([x, width]) => bar(x, y, width)));
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t().shares.code}
      shape-rendering="crispEdges"
    >
      <path class="qr-paper" d={`M0 0h${size}v${size}H0z`} />
      <path class="qr-ink" d={path.join('')} />
    </svg>
  );
}

const bar = (x: number, y: number, width: number): string => `M${x} ${y}h${width}v1h-${width}z`;

/** Begin and length of each run. */
function runsOf(row: readonly boolean[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last && last[0] + last[1] === x) last[1]++;
    else runs.push([x, 1]);
  });
  return runs;
}
