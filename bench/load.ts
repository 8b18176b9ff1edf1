import autocannon from 'autocannon';

/** One burst from a process of its own: address, bearer, seconds. Prints what came of it as JSON. */
const [url = '', bearer = '', seconds = '2'] = process.argv.slice(2);
const result = await autocannon({
  url,
  connections: 8,
  duration: Number(seconds),
  headers: { authorization: `Bearer ${bearer}` },
});
process.stdout.write(
  JSON.stringify({
    requests: result.requests.total,
    failed: result.non2xx + result.errors + result.timeouts,
    p50: result.latency.p50,
    p99: result.latency.p99,
    seconds: result.duration,
  }),
);
