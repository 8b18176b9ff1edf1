import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';

/** Uploads from a separate process: address, bearer, size of each, concurrency, seconds. Prints the result. */
const [base = '', bearer = '', bytes = '', atOnce = '', seconds = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(atOnce) });
const HEAD = Buffer.from(
  '--bench\r\nContent-Disposition: form-data; name="file"; filename="upload.bin"\r\nContent-Type: application/octet-stream\r\n\r\n',
);
const TAIL = Buffer.from('\r\n--bench--\r\n');
const from = performance.now();
const until = from + Number(seconds) * 1_000;
let uploads = 0;

function send(body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${base}/v1/uploads`,
      {
        method: 'POST',
        agent,
        headers: {
          authorization: `Bearer ${bearer}`,
          'content-type': 'multipart/form-data; boundary=bench',
          'content-length': body.length,
        },
      },
      (response) => {
        response.resume();
        if (response.statusCode !== 200) reject(new Error(`Status ${response.statusCode}.`));
        response.once('end', resolve);
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

async function stream(): Promise<void> {
  const content = randomBytes(Number(bytes));
  const body = Buffer.concat([HEAD, content, TAIL]);
  while (performance.now() < until) {
    // Different bytes each time, since equal ones would be deduplicated.
    randomBytes(16).copy(body, HEAD.length);
    await send(body);
    uploads += 1;
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, stream));
const took = (performance.now() - from) / 1_000;
process.stdout.write(JSON.stringify({ uploads, seconds: took }));
process.exit(0);
