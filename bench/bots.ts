/**
 * Measures how long applying the updates of a bot takes: `npm run bench:bots`. 10 000 updates of 200 groups are
 * fetched from a Bot API on this machine, on SQLite and, if available, on Postgres.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REDIS_URL, openTestDatabase, selectedBackends } from '../contract-tests/backends-env.ts';
import { openMessengerService, type MessengerService } from '../contract-tests/fake-bot-api.ts';
import { serve } from './processes.ts';

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '../dist/composition/cli.js');
const UPDATES = 10_000;
const GROUPS = 200;
const PEOPLE = 40;
const TOKEN = '7000000001:AAF-bench';
const GIVE_UP_MS = 300_000;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const person = (group: number, i: number) => ({
  userId: BigInt(group * 1_000 + i),
  displayName: `Person ${i} of ${group}`,
  username: `p${group}_${i}`,
  isBot: false,
});

/** The updates of a busy day: mostly messages, some joins and leaves. */
function fill(platform: MessengerService): void {
  for (let i = 0; i < UPDATES; i++) {
    const group = i % GROUPS;
    const chatId = BigInt(-1 - group);
    const member = person(group, Math.floor(i / GROUPS) % PEOPLE);
    if (i % 10 === 3) platform.joins(chatId, member);
    else if (i % 50 === 7) platform.leaves(chatId, member);
    else platform.says(chatId, member);
  }
}

async function measure(env: Readonly<Record<string, string>>): Promise<number> {
  const platform = await openMessengerService();
  const dataDir = await mkdtemp(join(tmpdir(), 'ow-bench-bots-'));
  const all = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: dataDir,
    MESSENGER_API_URL: platform.origin,
    LOG_LEVEL: 'error',
    PORT: '0',
    ...env,
  };
  const cli = async (...words: string[]): Promise<{ token: string }> => {
    const { stdout } = await run(process.execPath, [CLI, ...words, '--json'], { env: all });
    return JSON.parse(stdout) as { token: string };
  };
  platform.account(TOKEN);
  for (let group = 0; group < GROUPS; group++) platform.group(BigInt(-1 - group), `Group ${group}`);
  await cli('tenant', 'create', 'bench');
  const { token } = await cli('owner', 'create', 'bench', '--tenant', 'bench');
  const service = await serve('bots', [CLI, 'serve', '--json'], all);
  try {
    for (let group = 0; group < GROUPS; group++)
      platform.placesBot(TOKEN, BigInt(-1 - group), 'administrator');
    fill(platform);
    const from = performance.now();
    const response = await fetch(`${service.base}/v1/bots`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ platform: 'telegram', token: TOKEN }),
    });
    if (!response.ok) throw new Error(`The bot was refused: ${await response.text()}`);
    // Updates confirmed to the platform have been applied.
    while (platform.pending(TOKEN) > 0) {
      if (performance.now() - from > GIVE_UP_MS) throw new Error('It takes too long.');
      await wait(20);
    }
    return (performance.now() - from) / 1_000;
  } finally {
    await service.stop();
    await platform.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const tell = (name: string, seconds: number) =>
  process.stdout.write(
    `${name}: ${UPDATES} updates of ${GROUPS} groups in ${seconds.toFixed(1)} s\n`,
  );

tell('SQLite', await measure({ PROFILE: 'standalone' }));
if (['postgres', 'redis'].every((name) => selectedBackends().includes(name))) {
  const database = await openTestDatabase();
  try {
    tell('Postgres', await measure({ PROFILE: 'team', DATABASE_URL: database.url, REDIS_URL }));
  } finally {
    await database.drop();
  }
}
