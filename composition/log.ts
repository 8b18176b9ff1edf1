import { pino, type Logger } from 'pino';
import type { AccessEntry } from '../adapters/http/server/access-log.ts';

/**
 * The service's log, as JSON lines on standard error, separate from the output of commands. Secrets are never passed
 * to it; the paths below are a second safeguard.
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
/** Limit of unwritten lines; beyond it the newest are dropped, and no request waits. */
const MAX_ACCESS_BUFFER_BYTES = 4_194_304;

/**
 * The access log: one line per request, also on standard error. The entries have a fixed structure without secrets,
 * so they are not redacted. They are written without the logger, which would cost a polling request a tenth of its
 * time. Lines are buffered for a tenth of a second, so that a slow reader does not slow down requests.
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
    maxLength: MAX_ACCESS_BUFFER_BYTES,
    periodicFlush: ACCESS_MS,
    // As strings the whole buffer would be measured with each line, which produced 10 kB of garbage per line.
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
 * If the log cannot be written (full disk, closed pipe), its lines are lost and the service continues. The process
 * can still exit: pino would retry synchronously as long as writing fails, which blocks everything else.
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
