import { mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import Sqlite from 'better-sqlite3';

/**
 * The minimum work for an upload: writes its bytes to a file; `durable` also syncs file and folder and commits a row.
 */
const [folder = '', mode = 'durable'] = process.argv.slice(2);
mkdirSync(join(folder, 'blobs'), { recursive: true });
const database = new Sqlite(join(folder, 'limit.db'));
database.pragma('journal_mode = wal');
database.pragma('synchronous = full');
database.exec('create table uploads (id integer primary key, name text, size integer)');
const insert = database.prepare('insert into uploads (name, size) values (?, ?) returning id');
let count = 0;

async function store(name: string, bytes: Readable): Promise<object> {
  const temporary = join(folder, `incoming-${++count}`);
  const place = join(folder, 'blobs', String(count));
  const file = await open(temporary, 'wx');
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    size += chunk.length;
    await file.write(chunk);
  }
  if (mode === 'durable') await file.sync();
  await file.close();
  await rename(temporary, place);
  if (mode !== 'durable') return { id: count, name, size };
  const blobs = await open(join(folder, 'blobs'), 'r');
  await blobs.sync();
  await blobs.close();
  const { id } = insert.get(name, size) as { id: number };
  return { id, name, size };
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') return void response.end('{}');
  const type = request.headers['content-type'] ?? '';
  const parser = new Busboy({ headers: { ...request.headers, 'content-type': type } });
  parser.on('file', (_field, bytes, name) => {
    store(name, bytes).then(
      (stored) => response.end(JSON.stringify({ items: [stored] })),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  request.pipe(parser);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${port}` })}\n`);
});
