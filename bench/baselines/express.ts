import { parse } from 'node:querystring';
import express, { type Request, type Response } from 'express';
import { isAuthorized, bearerOf, sendIfUnchanged, type TokenRow } from './baseline-auth.ts';
import { postgresStore, sqliteStore } from './prepared-statements.ts';
import {
  NOTIFICATIONS,
  ONE,
  pageStatement,
  RENAME,
  STATE,
  TOKEN,
  totalStatement,
  VERSION,
} from './queries.ts';
import { detailReply, listReply, notificationsReply } from './replies.ts';

/**
 * Bare Express with prepared statements: `DATABASE OWNER [guarded]`. With `guarded` it also does the minimum of
 * authentication. The responses equal those of the service, except for some headers.
 */
const [address = '', owner = '', mode = 'bare'] = process.argv.slice(2);
const store = address.startsWith('postgres') ? postgresStore(address) : sqliteStore(address);
const guarded = mode === 'guarded';

/** Whether the request may go on. */
async function authorize(request: Request, response: Response): Promise<boolean> {
  if (!guarded) return true;
  const [bearer, prefix] = bearerOf(request);
  const found = store.get(TOKEN, [prefix]);
  const row = (found instanceof Promise ? await found : found) as TokenRow | undefined;
  return isAuthorized(response, bearer, row);
}

const app = express();
app.disable('x-powered-by');
app.set('query parser', (text: string) => parse(text));
app.get('/v1/objects', async (request, response) => {
  if (!(await authorize(request, response))) return;
  const query = request.query as ReturnType<typeof parse>;
  const limit = Number(query['limit'] ?? 20);
  const page = pageStatement(owner, query, limit);
  const count = totalStatement(owner, query);
  const total = store.get(count.text, count.values);
  const rows = store.all(page.text, page.values);
  if (rows instanceof Promise)
    response.json(listReply(await rows, limit, Number((await total)?.['n'] ?? 0)));
  else response.json(listReply(rows, limit, Number((total as { n: number }).n)));
});
app.get('/v1/objects/:id', async (request, response) => {
  if (!(await authorize(request, response))) return;
  if (guarded) {
    const version = await store.get(VERSION, [owner, request.params.id]);
    if (sendIfUnchanged(request, response, version?.['updated_at'])) return;
  }
  const found = store.get(ONE, [owner, request.params.id]);
  const row = found instanceof Promise ? await found : found;
  if (row) response.json(detailReply(row));
  else response.status(404).end();
});
app.patch('/v1/objects/:id', express.json(), async (request, response) => {
  if (!(await authorize(request, response))) return;
  const { filename } = request.body as { filename: string };
  const found = store.get(RENAME, [filename, Date.now(), owner, String(request.params['id'])]);
  const row = found instanceof Promise ? await found : found;
  if (row) response.json(detailReply(row));
  else response.status(404).end();
});
app.get('/v1/notifications', async (request, response) => {
  if (!(await authorize(request, response))) return;
  const state = await store.get(STATE, [owner]);
  if (guarded && sendIfUnchanged(request, response, state?.['visible_version'])) return;
  const rows = await store.all(NOTIFICATIONS, [owner, 50]);
  response.json(notificationsReply(rows, state));
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${port}` })}\n`);
});
