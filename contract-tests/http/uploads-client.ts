import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { openPostgres } from '../../adapters/knex/postgres/open.ts';
import type { Route } from '../../adapters/http/route.ts';
import { openSqlite } from '../../adapters/knex/sqlite/open.ts';
import type { Answer, Call, Served } from './harness.ts';

export const RESUMABLE = '/v1/uploads/resumable';
const BYTES = 'application/offset+octet-stream';

/** `Upload-Metadata` of some values. */
export const metadataOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

/** What a request needs to pass for one of the protocol; nothing for other routes. */
export const tusCallOf = ({ method, reply }: Route): Call => {
  if (!('tus' in reply)) return {};
  const headers = { 'tus-resumable': '1.0.0' };
  if (method !== 'patch') return { headers };
  return { raw: 'x', headers: { ...headers, 'content-type': BYTES, 'upload-offset': '0' } };
};

/** Requests of the tus protocol, one by one. */
export function tusClient(service: Served, token = service.token) {
  const call = (method: string, path: string, sent: Call = {}) =>
    service.call(method, path, {
      token,
      ...sent,
      headers: { 'tus-resumable': '1.0.0', ...sent.headers },
    });
  const create = (
    size: number,
    values: Readonly<Record<string, string>> = {},
    sent: Call = {},
  ): Promise<Answer> =>
    call('POST', RESUMABLE, {
      ...sent,
      headers: {
        'upload-length': String(size),
        'upload-metadata': metadataOf({ filename: 'a.txt', ...values }),
        ...sent.headers,
      },
    });
  return {
    call,
    create,
    /** The path of a new upload. */
    begin: async (size: number, values: Readonly<Record<string, string>> = {}): Promise<string> => {
      const answer = await create(size, values);
      if (answer.status !== 201) throw new Error(`No upload: ${answer.status} ${answer.text}`);
      return answer.headers.get('location') ?? '';
    },
    head: (path: string) => call('HEAD', path),
    patch: (path: string, offset: number, bytes: Uint8Array | string, sent: Call = {}) =>
      call('PATCH', path, {
        ...sent,
        raw: bytes as Uint8Array<ArrayBuffer>,
        headers: { 'content-type': BYTES, 'upload-offset': String(offset), ...sent.headers },
      }),
    /** A request that has sent some bytes, and could send more. */
    open: async (path: string, offset: number, announced: number): Promise<ClientRequest> => {
      const opened = request(service.base + path, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${token}`,
          'tus-resumable': '1.0.0',
          'content-type': BYTES,
          'content-length': announced,
          'upload-offset': offset,
        },
      });
      opened.on('error', () => undefined);
      opened.flushHeaders();
      await once(opened, 'socket');
      return opened;
    },
  };
}

/** Moves the last progress of an upload into the past, beside the service. */
export async function ageUpload(
  { databaseUrl, dataDir }: Pick<Served, 'databaseUrl' | 'dataDir'>,
  path: string,
  ms: number,
): Promise<void> {
  const database =
    databaseUrl === undefined
      ? openSqlite(join(dataDir, 'workspace.db'))
      : openPostgres(databaseUrl);
  try {
    await database.write('', (sql) =>
      sql.run('update uploads set progress_at = progress_at - ? where id = ?', [
        ms,
        path.split('/').at(-1) ?? '',
      ]),
    );
  } finally {
    await database.close();
  }
}
