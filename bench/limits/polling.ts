import { hash } from 'node:crypto';
import Database from 'better-sqlite3';
import express from 'express';

/**
 * The least that a poll can be: who asks, by the hash of the token; one more request in this minute; one row that tells
 * the version; 304 when it is the one the client has.
 */
const [file = ''] = process.argv.slice(2);
const database = new Database(file, { readonly: true });
const token = database.prepare('select owner_id from tokens where prefix = +? and digest = +?');
const version = database.prepare(
  'select visible_version from notification_states where owner_id = +?',
);
const windows = new Map<string, { window: number; count: number }>();
const MOST = 1e9;

const app = express();
app.disable('x-powered-by');
app.get('/v1/notifications', (request, response) => {
  const bearer = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const row = token.get(bearer.slice(4, 12), hash('sha256', bearer)) as
    { owner_id: string } | undefined;
  if (!row) return void response.status(401).end();
  const window = Math.floor(Date.now() / 60_000);
  const counted = windows.get(row.owner_id);
  const count = counted?.window === window ? counted.count + 1 : 1;
  windows.set(row.owner_id, { window, count });
  if (count > MOST) return void response.status(429).end();
  const state = version.get(row.owner_id) as { visible_version: number } | undefined;
  const etag = `W/"${state?.visible_version ?? 0}"`;
  response.setHeader('ETag', etag);
  response.status(request.headers['if-none-match'] === etag ? 304 : 200).end();
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${port}` })}\n`);
});
