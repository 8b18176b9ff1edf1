import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REDIS_URL } from '../backends-env.ts';
import { profiles, startService, type Answer, type Service } from './harness.ts';
import { openRelay, type Relay } from './raw-connection.ts';

const QUOTA = 5;
const ANONYMOUS_QUOTA = 60;
const limits = (perMinute: number) => ({
  requests_per_minute: perMinute,
  questions: null,
  enrichments: null,
  storage_bytes: null,
});

/** The same work again where the minute came to its end in the middle of it. */
async function withinOneMinute<T>(work: () => Promise<T>): Promise<T> {
  const minute = () => Math.floor(Date.now() / 60_000);
  for (;;) {
    const from = minute();
    const result = await work();
    if (minute() === from) return result;
  }
}

for (const profile of profiles)
  describe(`${profile}: the rate limit`, function () {
    this.timeout(60_000);
    let service: Service;
    let folder: string;
    let redis: Relay | undefined;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ow-roles-'));
      const roles = join(folder, 'roles.json');
      await writeFile(roles, JSON.stringify({ unlimited: limits(100_000), few: limits(QUOTA) }));
      const far = new URL(REDIS_URL);
      if (profile === 'team')
        redis = await openRelay({ hostname: far.hostname, port: Number(far.port) || 6379 });
      service = await startService(profile, {
        ROLES_FILE: roles,
        TRUST_PROXY: '1',
        // A Redis that hangs is waited for once in each test.
        RATE_COUNTER_MS: '1000',
        ...(redis && { REDIS_URL: `redis://${redis.address}` }),
      });
    });
    after(async () => {
      await service.dispose();
      redis?.close();
      await rm(folder, { recursive: true, force: true });
    });

    const me = (token: string | null, at: Service = service, headers = {}): Promise<Answer> =>
      at.call('GET', '/v1/me', { token, headers });
    const expectTooFrequent = ({ status, json, headers }: Answer): void => {
      expect([status, json.code]).to.deep.equal([429, 'rate_limited']);
      expect(json.detail).to.be.a('string');
      expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
      expect(Number(headers.get('ratelimit-remaining'))).to.equal(0);
    };

    it('is shared by all tokens of an owner, sent with every response, and separate for other owners', async () => {
      const { answers, mate } = await withinOneMinute(async () => {
        const [owner, mate] = [await service.newOwner('few'), await service.newOwner('few')];
        const second = (await service.cli('token', 'issue', '--owner', owner.id)).token;
        const answers: Answer[] = [];
        for (let sent = 0; sent <= QUOTA; sent++)
          answers.push(await me(sent % 2 ? second : owner.token));
        return { answers, mate: await me(mate.token) };
      });
      const last = answers.pop();
      for (const [sent, { status, headers }] of answers.entries()) {
        expect(status).to.equal(200);
        expect(headers.get('ratelimit-limit')).to.equal(String(QUOTA));
        expect(headers.get('ratelimit-remaining')).to.equal(String(QUOTA - 1 - sent));
        expect(Number(headers.get('ratelimit-reset'))).to.be.within(1, 60);
      }
      expect(last).not.to.equal(undefined);
      if (last) expectTooFrequent(last);
      expect(mate.status).to.equal(200);
      expect(mate.headers.get('ratelimit-remaining')).to.equal(String(QUOTA - 1));
    });

    it('counts rejected requests of an owner too, but not requests without a token', async () => {
      const statuses = await withinOneMinute(async () => {
        const { token } = await service.newOwner('few');
        const missing = '/v1/objects/00000000-0000-7000-8000-000000000000';
        const paths = ['/v1/objects/nothing', missing, '/v1/objects?limit=0', '/nowhere'];
        const seen = [];
        for (const path of [...paths, '/health', '/docs', '/v1/me', '/v1/me', '/v1/me'])
          seen.push((await service.call('GET', path, { token })).status);
        return seen;
      });
      expect(statuses).to.deep.equal([422, 404, 422, 404, 200, 200, 200, 200, 429]);
    });

    it('counts failed sign-ins by the address that the proxy reports', async () => {
      let client = 0;
      const from = (address: string) => ({ 'x-forwarded-for': `203.0.113.9, ${address}` });
      const { tries, elsewhere, owner } = await withinOneMinute(async () => {
        const address = `10.2.3.${++client}`;
        const tries = [];
        for (let sent = 0; sent <= ANONYMOUS_QUOTA; sent++)
          tries.push(await me(`owt_AAAAAAAA_${'A'.repeat(43)}`, service, from(address)));
        const elsewhere = await me('garbage', service, from('10.2.4.1'));
        const owner = await me(service.token, service, from(address));
        return { tries, elsewhere, owner };
      });
      const last = tries.pop();
      expect(new Set(tries.map(({ status }) => status))).to.deep.equal(new Set([401]));
      if (last) expectTooFrequent(last);
      expect(elsewhere.status).to.equal(401);
      // A valid token works despite failed attempts from the same address.
      expect(owner.status).to.equal(200);
    });

    it('counts a network once: any port of an IPv4 address, any address of an IPv6 /64', async () => {
      let client = 0;
      const last = await withinOneMinute(async () => {
        const [v4, v6] = [`10.2.6.${++client}`, `2001:db8:0:${client}`];
        const forms = [() => v4, (sent: number) => `[${v6}::${sent}]`];
        const answers = [];
        for (const form of forms)
          for (let sent = 0; sent <= ANONYMOUS_QUOTA; sent++)
            answers.push(
              await me('garbage', service, { 'x-forwarded-for': `${form(sent)}:${5_000 + sent}` }),
            );
        return [answers[ANONYMOUS_QUOTA], answers.at(-1)] as const;
      });
      for (const answer of last) if (answer) expectTooFrequent(answer);
    });

    it('counts every spelling of an address together, and all texts that are none together', async () => {
      let client = 0;
      const last = await withinOneMinute(async () => {
        const v4 = `10.2.7.${++client}`;
        const spellings = [v4, `::ffff:${v4}`, `[::FFFF:${v4}%eth0]:80`, `  ${v4}:81 `];
        const none = (sent: number) => [`unknown${sent}`, `_${sent}`, `0x${sent}.1`][sent % 3];
        const forms = [(sent: number) => spellings[sent % spellings.length], none];
        const answers = [];
        for (const form of forms)
          for (let sent = 0; sent <= ANONYMOUS_QUOTA; sent++)
            answers.push(await me('garbage', service, { 'x-forwarded-for': form(sent) }));
        return [answers[ANONYMOUS_QUOTA], answers.at(-1)] as const;
      });
      for (const answer of last) if (answer) expectTooFrequent(answer);
    });

    it('does not count requests that name no bearer token', async () => {
      const address = { 'x-forwarded-for': '10.2.5.1' };
      const seen = new Set<number>();
      for (let sent = 0; sent <= ANONYMOUS_QUOTA; sent++)
        for (const authorization of ['Basic b3duZXI6eA==', 'Bearer ', ''])
          seen.add(
            (
              await service.call('GET', '/v1/me', {
                token: null,
                headers: { ...address, authorization },
              })
            ).status,
          );
      expect([...seen]).to.deep.equal([401]);
    });

    it('believes no forwarded address unless a proxy is trusted', async () => {
      const open = await startService(profile, { TRUST_PROXY: '0' });
      try {
        const last = await withinOneMinute(async () => {
          let answer = await me('garbage', open);
          for (let sent = 1; sent <= ANONYMOUS_QUOTA; sent++)
            answer = await me('garbage', open, { 'x-forwarded-for': `10.3.0.${sent}` });
          return answer;
        });
        expectTooFrequent(last);
      } finally {
        await open.dispose();
      }
    });

    if (profile !== 'team') return;

    it('is one for all processes', async () => {
      const other = await service.beside();
      try {
        const statuses = await withinOneMinute(async () => {
          const { token } = await service.newOwner('few');
          const seen = [];
          for (let sent = 0; sent < QUOTA + 2; sent++)
            seen.push((await me(token, sent % 2 ? other : service)).status);
          return seen;
        });
        expect(statuses).to.deep.equal([...Array<number>(QUOTA).fill(200), 429, 429]);
      } finally {
        await other.stop();
      }
    });

    for (const mode of ['cut', 'hang'] as const)
      it(`is not applied while Redis ${mode === 'cut' ? 'is dead' : 'hangs'}, and comes back`, async () => {
        const counted = async () => (await me(service.token)).headers.has('ratelimit-limit');
        expect(await counted()).to.equal(true);
        const { token } = await service.newOwner('few');
        redis?.become(mode);
        for (let sent = 0; sent < 4 * QUOTA; sent++) {
          expect((await me(token)).status).to.equal(200);
        }
        const deep = (await service.call('GET', '/health/deep')).json;
        const counters = deep.checks.find((it: { name: string }) => it.name === 'counters');
        expect(counters.status).to.equal('failed');
        redis?.become('pass');
        const deadline = Date.now() + 10_000;
        while (!(await counted()) && Date.now() < deadline)
          await new Promise((resolve) => setTimeout(resolve, 50));
        expect(await counted()).to.equal(true);
      });
  });
