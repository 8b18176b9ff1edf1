import { BrokenReply, Connection, type Reply } from './connection.ts';
import { codeOf } from './oracles.ts';

const MAX_ATTEMPTS = 60;
const ATTEMPT_MS = 10_000;
/** Without these a request is another one. */
const NEEDED = /^(host|content-length|transfer-encoding|x-request-id):/i;

interface Outcome {
  readonly status: number;
  readonly code: string;
}

/**
 * Removes headers, parts of the query and the body one after another, as long as the response has the same status and
 * code. Returns the original request if it does not fail again, because it has changed the state it failed on.
 */
export async function minimize(base: string, request: Buffer, requested: Outcome): Promise<Buffer> {
  let attempts = 0;
  const failsAlike = async (bytes: Buffer): Promise<boolean> => {
    if (attempts++ >= MAX_ATTEMPTS) return false;
    const reply = await send(base, bytes);
    return (
      reply !== undefined && reply.status === requested.status && codeOf(reply) === requested.code
    );
  };
  if (!(await failsAlike(request))) return request;
  let [first = '', ...lines] = headOf(request).split('\r\n');
  const body = request.subarray(request.indexOf('\r\n\r\n') + 4);
  const joined = (head: readonly string[]): Buffer =>
    Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  for (const line of lines.filter((each) => !NEEDED.test(each))) {
    const fewer = lines.filter((each) => each !== line);
    if (await failsAlike(joined([first, ...fewer]))) lines = fewer;
  }
  for (const part of (/\?(\S*)/.exec(first)?.[1] ?? '').split('&')) {
    const shorter = first.replace(part, '').replace('?&', '?').replace('&&', '&');
    if (part !== '' && (await failsAlike(joined([shorter, ...lines])))) first = shorter;
  }
  const bodiless = withoutBody([first, ...lines]);
  return body.length > 0 && (await failsAlike(bodiless)) ? bodiless : joined([first, ...lines]);
}

const headOf = (request: Buffer): string =>
  request.toString('latin1', 0, request.indexOf('\r\n\r\n'));

const withoutBody = (head: readonly string[]): Buffer => {
  const lines = head.filter((line) => !/^(content-length|transfer-encoding):/i.test(line));
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
};

async function send(base: string, bytes: Buffer): Promise<Reply | undefined> {
  const connection = await Connection.open(base).catch(() => undefined);
  if (!connection) return undefined;
  try {
    connection.send(bytes);
    const reply = await connection.read(headOf(bytes).split(' ')[0] ?? '', ATTEMPT_MS);
    return typeof reply === 'string' ? undefined : reply;
  } catch (error) {
    if (error instanceof BrokenReply) return undefined;
    throw error;
  } finally {
    connection.close();
  }
}
