/**
 * Measures whether the time of a failed sign-in reveals that a name has an account:
 * `npm run bench:sign-in [-- --count=10000] [-- --namesakes=1]`. Wrong passwords and wrong names are interleaved in random
 * order, against the core with SQLite and real Argon2, and compared by a Mann–Whitney U test. Ends with 1 if p < 0.001.
 *
 * A try takes about 20 ms on an idle machine: 1 000 of each kind take less than a minute, 10 000 about seven minutes, and
 * the accounts are created before. With `--namesakes` so many accounts have the first name: every try then compares as many hashes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../composition/config.ts';
import { createLog } from '../composition/log.ts';
import { openService, type Service } from '../composition/service.ts';
import { DomainError } from '../core/shared/errors.ts';
import { mannWhitney, quantile } from './mann-whitney.ts';

/** Fewer than the limits for one name. Each try comes from a network of its own. */
const TRIES_PER_NAME = 10;
const WARM_UP = 50;
const SIGNIFICANT = 0.001;
const PASSWORD = 'seven crooked umbrellas';

type Core = Service['core'];

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    namesakes: { type: 'string', default: '1' },
  },
});
const count = Number(values.count);
const namesakes = Number(values.namesakes);

/** Names of equal length; those of `stranger` have no account. */
const nameOf = (kind: 'resident' | 'stranger', i: number): string =>
  `${kind} ${String(i).padStart(6, '0')}`;

async function createAccounts(core: Core, total: number): Promise<void> {
  const tenant = await core.identity.createTenant('bench');
  const create = async (name: string) => {
    const { first } = await core.identity.createOwner({ name, tenant: tenant.id });
    const client = { address: '127.0.0.1', userAgent: 'bench' };
    const caller = await core.identity.authenticate({ bearer: first.bearer }, client);
    await core.signIn.setPassword(caller, { password: PASSWORD });
  };
  for (let i = 0; i < total; i++) await create(nameOf('resident', i));
  for (let i = 1; i < namesakes; i++) await create(nameOf('resident', 0));
}

/** Milliseconds until a sign-in with a wrong password has failed. */
async function failedSignIn(core: Core, name: string, nth: number): Promise<number> {
  const client = { address: `10.${(nth >> 8) & 255}.${nth & 255}.1`, userAgent: 'bench' };
  const began = performance.now();
  try {
    await core.signIn.signInByPassword({ name, password: 'not the right password', client });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'sign_in_failed')
      return performance.now() - began;
    throw error;
  }
  throw new Error('A wrong password signed in.');
}

async function measure(core: Core) {
  const times = { resident: [] as number[], stranger: [] as number[] };
  for (let nth = 0; nth < WARM_UP; nth++) await failedSignIn(core, nameOf('stranger', -nth), nth);
  for (let nth = 0; nth < count; nth++) {
    const kinds = ['resident', 'stranger'] as const;
    for (const kind of Math.random() < 0.5 ? kinds : kinds.toReversed()) {
      const name = nameOf(kind, Math.floor(nth / TRIES_PER_NAME));
      times[kind].push(await failedSignIn(core, name, nth));
    }
  }
  return times;
}

const folder = await mkdtemp(join(tmpdir(), 'ow-sign-in-'));
const config = readConfig({ PROFILE: 'standalone', DATA_DIR: folder, LOG_LEVEL: 'error' });
const service = await openService(config, createLog('error'), 'server');
try {
  // Failed sign-ins are recorded at the same time, as in a running service.
  await service.startBackgroundWork();
  await createAccounts(service.core, Math.ceil(count / TRIES_PER_NAME));
  const { resident, stranger } = await measure(service.core);
  const { u, z, p, superiority } = mannWhitney(resident, stranger);
  const row = (what: string, times: readonly number[]) => ({
    what,
    tries: times.length,
    'p10 ms': Number(quantile(times, 0.1).toFixed(3)),
    'median ms': Number(quantile(times, 0.5).toFixed(3)),
    'p90 ms': Number(quantile(times, 0.9).toFixed(3)),
  });
  console.table([row('wrong password', resident), row('wrong name', stranger)]);
  console.log(
    `U = ${u}, z = ${z.toFixed(3)}, p = ${p.toFixed(4)}, P(wrong password is slower) = ${superiority.toFixed(4)}`,
  );
  if (p < SIGNIFICANT) process.exitCode = 1;
} finally {
  await service.close();
  await rm(folder, { recursive: true });
}
