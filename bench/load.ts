import autocannon from 'autocannon';

/**
 * One burst from a process of its own: address, bearer, seconds, and the tag of an answer that the client has, which
 * has to stand. Prints what came of it as JSON.
 */
const [url = '', bearer = '', seconds = '2', etag] = process.argv.slice(2);
let visitor = 0;
const result = await autocannon({
  url,
  connections: 8,
  duration: Number(seconds),
  // Each from another address, for a service that trusts what a proxy says of it.
  requests: [
    {
      setupRequest: (request) => ({
        ...request,
        headers: { ...request.headers, 'x-forwarded-for': addressOf(visitor++) },
      }),
    },
  ],
  headers: {
    authorization: `Bearer ${bearer}`,
    ...(etag !== undefined && { 'if-none-match': etag }),
  },
});
const answered = etag === undefined ? result['2xx'] : result['3xx'];
process.stdout.write(
  JSON.stringify({
    requests: result.requests.total,
    failed: result.requests.total - answered + result.errors + result.timeouts,
    p50: result.latency.p50,
    p99: result.latency.p99,
    seconds: result.duration,
  }),
);

function addressOf(n: number): string {
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}
