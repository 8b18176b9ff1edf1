import type { Finding, FuzzReport } from './fuzz.ts';

const MAX_SHOWN_BYTES = 900;

/** Bytes as readable text that a program can convert back: all but plain letters are escaped. */
export const shownBytes = (bytes: Buffer): string =>
  [...bytes.subarray(0, MAX_SHOWN_BYTES)]
    .map((byte) => {
      if (byte === 13) return '\\r';
      if (byte === 10) return '\\n\n      ';
      if (byte === 92) return '\\\\';
      return byte >= 32 && byte < 127
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).padStart(2, '0')}`;
    })
    .join('') +
  (bytes.length > MAX_SHOWN_BYTES ? ` … and ${bytes.length - MAX_SHOWN_BYTES} bytes more` : '');

function describeFinding(finding: Finding): string {
  const { where, problem, status, code, thrown, count, changes, lane, index } = finding;
  const outcome = status === 0 ? '' : ` [${status}${code ? ` ${code}` : ''}]`;
  return [
    `- ${where}${outcome}: ${problem} (${count} times; lane ${lane}, number ${index})`,
    ...(thrown ? [`    thrown: ${thrown}`] : []),
    ...(changes.length > 0 ? [`    changed: ${changes.join(', ')}`] : []),
    ...(finding.request.length > 0 ? [`    sent:\n      ${shownBytes(finding.request)}`] : []),
    ...(finding.answer ? [`    got: ${finding.answer.slice(0, 400)}`] : []),
  ].join('\n');
}

export const isClean = ({ findings, aftermath }: FuzzReport): boolean =>
  findings.length === 0 && aftermath.length === 0;

/** All that is worth reading of a run. */
export function describeReport(report: FuzzReport, seed: number): string {
  const { profile, requests, seconds, statuses, neverDone, findings, aftermath } = report;
  const counts = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, n]) => `${status === 0 ? 'raw' : status}: ${n}`);
  return [
    `${profile}, seed ${seed}: ${requests} requests in ${seconds.toFixed(0)} s, ${Math.round(requests / seconds)} a second; ${counts.join(', ')}`,
    ...(neverDone.length > 0 ? [`  only refused: ${neverDone.join(', ')}`] : []),
    ...findings.map(describeFinding),
    ...aftermath.map((line) => `- afterwards: ${line}`),
  ].join('\n');
}
