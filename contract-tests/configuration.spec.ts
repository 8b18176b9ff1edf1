import { expect } from 'chai';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, VARIABLES, type Config } from '../composition/config.ts';
import { ConfigError } from '../composition/env-variables.ts';

const TEAM = {
  PROFILE: 'team',
  DATABASE_URL: 'postgres://127.0.0.1/x',
  REDIS_URL: 'redis://127.0.0.1',
};

const MODEL = { LLM_URL: 'http://127.0.0.1:11434/v1', LLM_MODEL: 'm' };

const OFFICE = { OFFICE_URL: 'http://office.test', OFFICE_JWT_SECRET: 'x'.repeat(32) };

const OIDC = {
  OIDC_ISSUER: 'https://id.example.org',
  OIDC_CLIENT_ID: 'workspace',
  OIDC_CLIENT_SECRET: 'x'.repeat(32),
};
const TENANT = '01936f5e-4d2a-7000-8000-0123456789ab';

type Case = readonly [name: string, value: string, also?: Readonly<Record<string, string>>];

const WRONG: readonly Case[] = [
  ...['huge', 'Team', 'standalone,team'].map((value): Case => ['PROFILE', value]),
  ...['abc', '70000', '65536', '-1', '80.5', '1e3', '0x50', '8080;'].map((v): Case => ['PORT', v]),
  ...[
    'example.org',
    'ftp://example.org',
    'https://',
    'https://user:sesame@example.org',
    'https://example.org/?key=sesame',
    'https://example.org/#x',
  ].map((value): Case => ['PUBLIC_URL', value]),
  ...['mysql://127.0.0.1/x', 'me:sesame@127.0.0.1', 'http://h/x?password=sesame'].map(
    (value): Case => ['DATABASE_URL', value],
  ),
  ...['http://127.0.0.1', 'http://:ses/ame@127.0.0.1', '127.0.0.1:6379'].map((v): Case => [
    'REDIS_URL',
    v,
  ]),
  ['DATABASE_URL', '', TEAM],
  ['REDIS_URL', '', TEAM],
  ['REDIS_URL', '  ', TEAM],
  ...[
    'papers',
    's3://papers',
    's3://key:sesame@',
    's3://key:ses/ame@papers',
    's3://key:sesame@Papers',
    's3://key:sesame@pa/../x y',
    's3://key:sesame@papers?regoin=x',
    's3://key:sesame@papers?region=x&region=y',
    's3://key:sesame@papers?region=x/sesame',
    's3://key:sesame@papers?path_style=yes',
    's3://key:sesame@papers?endpoint=127.0.0.1:9000',
    's3://key:sesame@papers?endpoint=http://127.0.0.1/sesame',
    's3://key:sesame@papers?endpoint=http://127.0.0.1&path_style=false',
    's3://key:sesame@127.0.0.1:9000/papers',
    's3://key:sés@papers',
    's3://key:%ses@papers',
    's3://key,x:sesame@papers',
    's3://key:sesame@papers#x',
    'https://key:sesame@127.0.0.1:9000',
    'https://127.0.0.1:9000/papers?key=sesame',
    'https://key:sesame@127.0.0.1/papers?endpoint=http://127.0.0.1',
    'ftp://key:sesame@127.0.0.1/papers',
  ].map((value): Case => ['BLOB_S3_URL', value]),
  ['SECRET_KEY', 'sesame'],
  ['SECRET_KEY', 'sesame'.padEnd(31, 'x')],
  ...['loud', 'INFO', '3'].map((value): Case => ['LOG_LEVEL', value]),
  ...['x', '-1', '11', 'true', '10.0.0.0/8'].map((value): Case => ['TRUST_PROXY', value]),
  ...[
    '*',
    'null',
    'not a url',
    'example.org',
    'https://example.org/app',
    'https://example.org,example.org',
    'ftp://example.org',
    'https://*.example.org',
  ].map((value): Case => ['CORS_ORIGINS', value]),
  ...['-1', '0', '1e9', '2GiB', String(2 ** 51)].map((value): Case => ['MAX_UPLOAD_BYTES', value]),
  ...['-1', '0', '20GiB'].map((value): Case => ['MAX_IMPORT_BYTES', value]),
  ...['nas.lan,http://nas.lan', '10.0.0.0/40', 'a b'].map((v): Case => ['OUTBOUND_ALLOW', v]),
  ...[
    'ftp://example.org/v1',
    '127.0.0.1:11434',
    'http://me:sesame@h/v1',
    'http://h/v1?key=sesame',
  ].map((value): Case => ['LLM_URL', value, MODEL]),
  ...['api.telegram.org', 'ftp://h', 'https://me:sesame@h', 'https://h/?key=sesame'].map(
    (value): Case => ['MESSENGER_API_URL', value],
  ),
  ['LLM_MODEL', '', MODEL],
  ...['sésame', 'ses ame', 'sesame\u0001'].map((value): Case => ['LLM_KEY', value, MODEL]),
  ...['511', '2000001', '8k'].map((value): Case => ['LLM_CONTEXT_TOKENS', value]),
  ...['0', '3601', '60s', '1.5'].map((value): Case => ['ANSWER_SECONDS', value]),
  ...['2', 'never', '-'].map((value): Case => ['AGENT_ENABLED', value]),
  ...['2', 'never', '-'].map((value): Case => ['OFFICE_ENABLED', value, OFFICE]),
  ...['office.test', 'ftp://office.test', 'http://me:sesame@h', 'http://h/?key=sesame'].map(
    (value): Case => ['OFFICE_URL', value, OFFICE],
  ),
  ...['', 'sesame', 'sesame'.padEnd(31, 'x'), `sesame${'é'.repeat(12)}`].map((value): Case => [
    'OFFICE_JWT_SECRET',
    value,
    OFFICE,
  ]),
  ['OFFICE_JWT_SECRET', 'sesame'],
  ...[
    'id.example.org',
    'ftp://id.example.org',
    'https://user:sesame@id.example.org',
    'https://id.example.org/?key=sesame',
    'http://id.example.org',
    'http://192.168.1.5',
    'http://localhost.example.org',
  ].map((value): Case => ['OIDC_ISSUER', value, OIDC]),
  ...['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].map((name): Case => [name, '', OIDC]),
  ...['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME', 'OIDC_ROLE_CLAIM'].map((name): Case => [
    name,
    'sesame',
  ]),
  ['OIDC_PROVISION', TENANT],
  ...['on', 'home', 'true', `${TENANT}0`].map((value): Case => ['OIDC_PROVISION', value, OIDC]),
  ...['eng+xxx', 'English', '../eng'].map((value): Case => ['OCR_LANGS', value]),
  ...['never', '0', '-1', '36501'].map((value): Case => ['TRASH_DAYS', value]),
  ...['never', '-1', '86401'].flatMap((value): Case[] => [
    ['INBOX_POLL_SECONDS', value],
    ['INBOX_SETTLE_SECONDS', value],
  ]),
  ...['data', 'data/inbox', '.'].map((value): Case => ['INBOX_DIR', value, { DATA_DIR: 'data' }]),
  ...['0', '86401', '15m'].map((value): Case => ['UNLOCK_SECONDS', value]),
  ...['0', '100001', 'many'].map((value): Case => ['MAX_IN_FLIGHT_REQUESTS', value]),
  ...['9', '60001', '1s'].flatMap((value): Case[] => [
    ['MAX_QUEUE_WAIT_MS', value],
    ['RATE_COUNTER_MS', value],
  ]),
];

const ROLE = { requests_per_minute: 1, questions: null, enrichments: 5, storage_bytes: null };
const WRONG_ROLES: readonly string[] = [
  '{',
  '{\n  "free": {\n    "requests_per_minute": 1,\n  }\n}',
  '',
  '[]',
  'null',
  '5',
  '{}',
  '{"free": null}',
  '{"free": 5}',
  '{"free": []}',
  '{"free": {}}',
  ...[
    { operator: 'yes' },
    { operator: null },
    { requests_per_minute: null },
    { requests_per_minute: '60' },
    { requests_per_minute: -1 },
    { questions: 1.5 },
    { storage_bytes: -1 },
    { storage_byte: 1 },
  ].map((change) => JSON.stringify({ free: { ...ROLE, ...change } })),
];

describe('the configuration', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ow-config-'));
    await mkdir(join(folder, 'folder'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** The message for an invalid value; one line, without possible secrets. */
  const reported = (env: Readonly<Record<string, string>>): string => {
    try {
      readConfig(env);
    } catch (error) {
      expect(error).to.be.instanceOf(ConfigError);
      expect((error as Error).message).to.match(/^[^\n]+$/);
      expect((error as Error).message).not.to.include('ses');
      return (error as Error).message;
    }
    throw new Error(`${JSON.stringify(env)} was taken.`);
  };

  for (const [name, value, also] of WRONG)
    it(`rejects ${name}=${value.slice(0, 40)}${also ? ' in a team' : ''}, by its name`, () => {
      expect(reported({ ...also, [name]: value })).to.include(name);
    });

  for (const [n, roles] of WRONG_ROLES.entries())
    it(`rejects ROLES_FILE with ${roles.replaceAll(/\s+/g, ' ') || 'nothing'} in it`, async () => {
      const file = join(folder, `${n}.json`);
      await writeFile(file, roles);
      expect(reported({ ROLES_FILE: file })).to.include('ROLES_FILE');
    });

  it('rejects ROLES_FILE that is not a file', () => {
    for (const name of ['nowhere.json', 'folder'])
      expect(reported({ ROLES_FILE: join(folder, name) })).to.include('ROLES_FILE');
  });

  it('reports every variable that can be invalid', () => {
    const tried = new Set([...WRONG.map(([name]) => name), 'ROLES_FILE']);
    const any = ['HOST', 'DATA_DIR', 'TESSDATA_PREFIX'];
    const known = Object.values(VARIABLES).map(({ name }) => name);
    // Whether these can be used is known only once they are: see the start of a service.
    expect([...tried, ...any]).to.have.members(known);
  });

  it('connects to Telegram by default, and records whether the address was set', () => {
    for (const [value, baseUrl, named] of [
      [undefined, 'https://api.telegram.org', false],
      [' ', 'https://api.telegram.org', false],
      ['https://api.telegram.org/', 'https://api.telegram.org', true],
      ['http://127.0.0.1:8081/api/', 'http://127.0.0.1:8081/api', true],
    ] as const)
      expect(readConfig({ MESSENGER_API_URL: value }).messenger).to.deep.equal({ baseUrl, named });
  });

  it('connects a document server if it is set with its secret and not disabled', () => {
    const office = (env: Readonly<Record<string, string>>) => readConfig(env).office;
    const { OFFICE_URL, OFFICE_JWT_SECRET } = OFFICE;
    expect(office({})).to.equal(null);
    expect(office({ OFFICE_JWT_SECRET })).to.equal(null);
    expect(office({ ...OFFICE, OFFICE_ENABLED: 'off' })).to.equal(null);
    expect(office({ OFFICE_URL, OFFICE_ENABLED: 'false' })).to.equal(null);
    expect(office({ ...OFFICE, OFFICE_URL: `${OFFICE_URL}/docs/` })).to.deep.equal({
      url: `${OFFICE_URL}/docs`,
      secret: OFFICE_JWT_SECRET,
    });
    const accented = 'é'.repeat(16);
    expect(office({ OFFICE_URL, OFFICE_JWT_SECRET: accented })?.secret).to.equal(accented);
  });

  it('connects an identity provider, whose issuer has one spelling', () => {
    expect(readConfig({}).oidc).to.equal(null);
    expect(readConfig({ OIDC_PROVISION: 'off' }).oidc).to.equal(null);
    expect(readConfig(OIDC).oidc).to.deep.equal({
      issuer: 'https://id.example.org',
      clientId: 'workspace',
      clientSecret: 'x'.repeat(32),
      name: 'id.example.org',
      tenantId: null,
      roleClaim: null,
    });
    const oidc = (env: Readonly<Record<string, string>>) => readConfig({ ...OIDC, ...env }).oidc;
    for (const [sent, issuer] of [
      [' https://ID.example.org:443/ ', 'https://id.example.org'],
      ['https://id.example.org/realms/home', 'https://id.example.org/realms/home'],
      ['https://id.example.org/o/home/', 'https://id.example.org/o/home/'],
      ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
      ['http://[::1]:9000/', 'http://[::1]:9000'],
      ['http://localhost:9000', 'http://localhost:9000'],
    ] as const)
      expect(oidc({ OIDC_ISSUER: sent })?.issuer).to.equal(issuer);
    expect(
      oidc({ OIDC_NAME: 'Home', OIDC_PROVISION: TENANT.toUpperCase(), OIDC_ROLE_CLAIM: 'groups' }),
    ).to.include({ name: 'Home', tenantId: TENANT, roleClaim: 'groups' });
  });

  it('accepts the limits themselves, blanks around a value, and an empty value as unset', async () => {
    const roles = join(folder, 'roles.json');
    await writeFile(roles, JSON.stringify({ own: ROLE, boss: { ...ROLE, operator: true } }));
    const config: Config = readConfig({
      ...TEAM,
      PORT: ' 65535 ',
      TRUST_PROXY: '10',
      TRASH_DAYS: '1',
      UNLOCK_SECONDS: '86400',
      MAX_IN_FLIGHT_REQUESTS: '100000',
      MAX_QUEUE_WAIT_MS: '10',
      MAX_UPLOAD_BYTES: '1',
      SECRET_KEY: 'x'.repeat(32),
      LOG_LEVEL: '',
      CORS_ORIGINS: ' https://a.example ,http://b.example:81/, ',
      PUBLIC_URL: 'https://example.org/docs/',
      ROLES_FILE: roles,
    });
    expect(config).to.deep.include({
      profile: 'team',
      port: 65_535,
      trustProxy: 10,
      trashDays: 1,
      unlockSeconds: 86_400,
      maxInFlight: 100_000,
      maxQueueWaitMs: 10,
      maxUploadBytes: 1,
      logLevel: 'info',
      corsOrigins: ['https://a.example', 'http://b.example:81'],
      publicUrl: 'https://example.org/docs',
      roles: {
        own: { requestsPerMinute: 1, questions: null, enrichments: 5, storageBytes: null },
        boss: {
          requestsPerMinute: 1,
          questions: null,
          enrichments: 5,
          storageBytes: null,
          isOperator: true,
        },
      },
    });
  });
});
