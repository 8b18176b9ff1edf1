import { pino, type Logger } from 'pino';

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
    pino.destination({ fd: 2, sync: true }),
  );
}

export type { Logger };
