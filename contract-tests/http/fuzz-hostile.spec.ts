import { expect } from 'chai';
import { fuzz } from '../fuzz/fuzz.ts';
import { describeReport, isClean } from '../fuzz/report.ts';
import { SPEC_SEED } from '../seed.ts';
import { profiles } from './harness.ts';

const DEFAULT_REQUESTS = 3_000;
const LANES = 4;

/**
 * `npm run fuzz` does the same with many more requests. FUZZ_SEED repeats a run, FUZZ_REQUESTS makes it longer or
 * shorter.
 */
const seed = Number(process.env['FUZZ_SEED'] ?? SPEC_SEED);
const requests = Number(process.env['FUZZ_REQUESTS'] ?? DEFAULT_REQUESTS);

for (const profile of profiles)
  describe(`${profile}: hostile requests`, function () {
    this.timeout(600_000);

    it(`cause no harm and get documented responses (FUZZ_SEED=${seed})`, async () => {
      const share = Math.ceil(requests / profiles.length);
      const report = await fuzz({ profile, seed, requests: share, lanes: LANES });
      const reported = describeReport(report, seed);
      process.stdout.write(`  ${reported.split('\n')[0]}\n`);
      expect(isClean(report), reported).to.equal(true);
      expect(report.requests).to.be.at.least(share);
    });
  });
