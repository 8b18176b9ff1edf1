// The health check of the image: status 0 if the server of this container responds. The image has no curl.
import { get } from 'node:http';

const WITHIN_MS = 4_000;
const EVERYWHERE = ['0.0.0.0', '::'];

const { HOST = '0.0.0.0', PORT = '8080' } = process.env;
const host = EVERYWHERE.includes(HOST) ? '127.0.0.1' : HOST;

// The container engine stores the output with the state.
const unwell = (why) => {
  console.error(`${host} port ${PORT}: ${why}`);
  process.exit(1);
};

setTimeout(() => unwell(`no answer within ${WITHIN_MS / 1_000} s`), WITHIN_MS).unref();
get({ host, port: PORT, path: '/health', agent: false }, (response) => {
  response.resume();
  if (response.statusCode !== 200) unwell(`status ${response.statusCode}`);
}).on('error', ({ message }) => unwell(message));
