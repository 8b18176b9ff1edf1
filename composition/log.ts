import { pino, type Logger } from 'pino';
import type { AccessEntry } from '../adapters/http/server/access-log.ts';

/**
 * The service's own log, as JSON lines on standard error, so that what a command prints stays apart. What could carry
 * a secret is never handed to it; the paths below are a second net.
 */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          '*.authorization',
          '*.token',
          '*.password',
          '*.pin',
          '*.secret',
          '*.connectionString',
        ],
        censor: '[gone]',
      },
    },
    unbroken(pino.destination({ fd: 2, sync: true })),
  );
}

const ACCESS_BYTES = 16_000;
const ACCESS_MS = 100;
/** Of lines that nobody reads; beyond it the newest are dropped, and no request waits. */
const ACCESS_MOST_BYTES = 4_194_304;

/**
 * One line for each request, on standard error as well. The entries have a fixed shape without secrets, so nothing
 * is searched for any, and they are written without the logger, which would cost a poll a tenth of its time. Lines are
 * gathered for a tenth of a second, so that a slow reader of them slows no request.
 */
export function createAccessLog(level: string): (entry: AccessEntry) => void {
  const info = pino.levels.values['info'] ?? 30;
  const { values } = pino.levels;
  const least = Object.hasOwn(values, level) ? values[level] : undefined;
  if ((least ?? Infinity) > info) return () => undefined;
  const destination = pino.destination({
    fd: 2,
    sync: false,
    minLength: ACCESS_BYTES,
    maxLength: ACCESS_MOST_BYTES,
    periodicFlush: ACCESS_MS,
    // Of what it has gathered as text it measures all with each line, which made 10 kB of garbage for each.
    contentMode: 'buffer',
  });
  const lines = unbroken(destination) as unknown as { write(line: Buffer): boolean };
  return (entry) => {
    const time = new Date().toISOString();
    const line = JSON.stringify({ level: info, time, ...entry, msg: 'request' });
    lines.write(Buffer.from(`${line}\n`));
  };
}

interface Destination {
  on(event: 'error', listener: () => void): unknown;
  destroy(): void;
}

/**
 * A log that can not be written (full disk, closed pipe) does not end the service: its lines are lost. Nor does it keep
 * a process from its end: pino would try to write the rest for as long as that fails, and nothing else would run.
 */
function unbroken<T extends Destination>(lines: T): T {
  let failed = false;
  lines.on('error', () => {
    if (!failed) process.prependListener('exit', () => lines.destroy());
    failed = true;
  });
  return lines;
}

export type { Logger };
