import express from 'express';
import { limitQueries } from './queries.ts';

const [file = '', ownerId = ''] = process.argv.slice(2);
const queries = limitQueries(file, ownerId);
const app = express();
app.disable('x-powered-by');
app.get('/v1/objects', (request, response) => {
  response.json(queries.list(Number(request.query['limit'] ?? 20)));
});
app.get('/v1/objects/:id', (request, response) => {
  response.json(queries.one(request.params.id));
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${port}` })}\n`);
});
