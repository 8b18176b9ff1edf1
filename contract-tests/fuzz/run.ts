import { randomInt } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { profiles } from '../http/harness.ts';
import { fuzz } from './fuzz.ts';
import { describeReport, isClean } from './report.ts';

/**
 * Sends malicious requests to dedicated services, one for each profile. Exits with 1 if one of them violates its
 * contract. The same seed makes the same requests. Usage: `npm run fuzz -- --requests=100000 --seed=7 --profile=team
 * --lanes=6`.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    profile: { type: 'string' },
    lanes: { type: 'string', default: '6' },
  },
});
const number = (name: 'requests' | 'seed' | 'lanes'): number => {
  const given = Number(values[name]);
  const least = name === 'seed' ? 0 : 1;
  if (values[name] !== '' && Number.isInteger(given) && given >= least) return given;
  throw new Error(
    `--${name} takes a whole number from ${least}, not ${values[name] || 'nothing'}.`,
  );
};
const chosen = profiles.filter((each) => [undefined, each].includes(values.profile as typeof each));
if (chosen.length === 0) throw new Error(`There is no profile ${values.profile} to run on.`);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const [seed, requests, lanes] = [number('seed'), number('requests'), number('lanes')];
/** Ten lines a run, and for a long one a line every half a minute. */
const PROGRESS_REQUESTS = Math.min(5_000, Math.ceil(requests / chosen.length / 10));
say(`seed ${seed}: ${requests} requests, ${chosen.join(' and ')}`);
let [created, found] = [0, 0];
for (const profile of chosen) {
  let shown = 0;
  const report = await fuzz({
    ...{ profile, seed, lanes },
    requests: Math.ceil(requests / chosen.length),
    onProgress: (count) => {
      if (count < shown + PROGRESS_REQUESTS) return;
      shown = count;
      say(`  ${profile}: ${count}`);
    },
  });
  say(describeReport(report, seed));
  created += report.requests;
  found += report.findings.length + report.aftermath.length;
  if (isClean(report)) continue;
  process.exitCode = 1;
  const folder = await mkdtemp(join(tmpdir(), `ow-fuzz-${profile}-${seed}-`));
  for (const [at, { request }] of report.findings.entries())
    if (request.length > 0) await writeFile(join(folder, `${at}.http`), request);
  say(`The requests lie in ${folder}, each as it was sent.`);
}
say(
  found === 0
    ? `seed ${seed}: no findings in ${created} requests`
    : `seed ${seed}: ${found} findings in ${created} requests; repeat them with --seed=${seed} --requests=${requests} --lanes=${lanes}`,
);
