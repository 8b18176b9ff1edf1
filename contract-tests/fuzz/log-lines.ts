/** A failure as the service has logged it. */
export interface LogLine {
  readonly message: string;
  readonly requestId: string;
  /** The error and where it was thrown, on one line. */
  readonly thrown: string;
}

const WARN = 40;
const ERROR = 50;
/** A task may fail because of the content of a file, but not because of a programming error. */
const DEFECTS = /^(Type|Range|Reference|Syntax|Internal)Error$/;

interface Entry {
  readonly level?: number;
  readonly msg?: string;
  readonly requestId?: string;
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string };
}

/** The failures of a log, and the lines that are none of it. */
export function readLog(text: string): {
  readonly lines: readonly LogLine[];
  readonly strange: readonly string[];
} {
  const lines: LogLine[] = [];
  const strange: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const entry = entryOf(line);
    if (!entry) strange.push(line.slice(0, 300));
    else if (isFailure(entry))
      lines.push({
        message: entry.msg ?? '',
        requestId: entry.requestId ?? '',
        thrown: thrownIn(entry),
      });
  }
  return { lines, strange: strange.slice(0, 20) };
}

function entryOf(line: string): Entry | undefined {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}

const isFailure = ({ level = 0, err }: Entry): boolean =>
  level >= ERROR || (level >= WARN && DEFECTS.test(err?.type ?? ''));

/** The message without request-specific parts, and the first stack line of this project. */
function thrownIn({ err }: Entry): string {
  if (!err) return '';
  const message = (err.message ?? '').slice(0, 160).replaceAll(/[0-9a-f-]{36}|\d{3,}/g, '…');
  const at = (err.stack ?? '')
    .split('\n')
    .find((line) => /^\s+at /.test(line) && !/node_modules|node:/.test(line));
  const file = /((?:adapters|core|composition|ports)\/[^)]*)/.exec(at ?? '')?.[1] ?? '';
  return `${err.type}: ${message} (${file})`;
}

export const requestOfLine = (lines: readonly LogLine[], requestId: string): string =>
  lines.find((line) => line.requestId === requestId)?.thrown ?? '';
