import { createServer } from 'node:http';
import { limitQueries } from './queries.ts';

const [file = '', ownerId = ''] = process.argv.slice(2);
const queries = limitQueries(file, ownerId);
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const id = /^\/v1\/objects\/(.+)$/.exec(url.pathname)?.[1];
  const reply = id ? queries.one(id) : queries.list(Number(url.searchParams.get('limit') ?? 20));
  const body = JSON.stringify(reply);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${port}` })}\n`);
});
