/**
 * Requests a URL every 20 ms, from a separate process and over one connection, and prints the latency of each
 * response in milliseconds. Authenticated if a bearer is given.
 */
const [url = '', bearer] = process.argv.slice(2);
const INTERVAL_MS = 20;
const DEADLINE_MS = 30_000;

for (;;) {
  const from = performance.now();
  const response = await fetch(url, {
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...(bearer !== undefined && { headers: { authorization: `Bearer ${bearer}` } }),
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`It answered ${response.status}.`);
  process.stdout.write(`${(performance.now() - from).toFixed(2)}\n`);
  await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
}
