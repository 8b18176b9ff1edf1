import { hash } from 'node:crypto';
import Database from 'better-sqlite3';
import express from 'express';

type Row = Readonly<Record<string, string | number | null>>;

/**
 * The minimum work for a share URL: the share by the hash of its token, its folder, a counter row for the total, and
 * a page of its files. Visits are not counted, and limits are not checked.
 */
const [file = ''] = process.argv.slice(2);
const database = new Database(file, { readonly: true });
const shareBy = database.prepare('select * from shares where digest = +?');
const folderBy = database.prepare('select name from collections where owner_id = +? and id = +?');
const total = database.prepare(
  "select n from object_counts where owner_id = +? and folder = +? and trashed = 0 and is_hidden = 0 and kind = '*'",
);
const page = database.prepare(
  'select id, filename, mime, size, created_at from objects where owner_id = +? and folder = +? and trashed = 0 and is_hidden = 0 order by created_at desc, id desc limit +?',
);
const totalOf = (owner: unknown, folder: unknown): number => {
  const rows = total.all(owner, folder) as { n: number }[];
  return rows.reduce((sum, { n }) => sum + n, 0);
};

const app = express();
app.disable('x-powered-by');
app.get('/v1/public/shares/:token', (request, response) => {
  const share = shareBy.get(hash('sha256', request.params.token)) as Row | undefined;
  if (!share) return void response.status(404).end();
  const { owner_id: owner, resource_id: folder } = share;
  const named = folderBy.get(owner, folder) as Row | undefined;
  const rows = page.all(owner, folder, Number(request.query['limit'] ?? 100)) as Row[];
  response.json({
    kind: share['kind'],
    name: share['name'],
    resource_name: named?.['name'],
    role: share['role'],
    has_password: share['password_hash'] !== null,
    unlocked: true,
    expires_at: share['expires_at'],
    items: rows.map(({ id, filename, mime, size, created_at }) => ({
      id,
      filename,
      mime,
      size,
      created_at: new Date(Number(created_at)).toISOString(),
    })),
    total: totalOf(owner, folder),
  });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${port}` })}\n`);
});
