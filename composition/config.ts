import { existsSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import {
  findLanguage,
  languageCodes,
  type LanguageData,
} from '../adapters/extract/ocr/languages.ts';
import { parseBucketUrl } from '../adapters/s3/bucket-url.ts';
import type { AccountRoles } from '../ports/identity.ts';
import { parseDestination } from '../adapters/outbound/destination-policy.ts';
import { BUILT_IN_ROLES } from '../core/identity/index.ts';
import { DEFAULT_CONTEXT_TOKENS, type OperatorModel } from '../core/models/index.ts';
import {
  ConfigError,
  url,
  baseUrl,
  oneOf,
  boolean,
  listOf,
  origins,
  secretUrl,
  text,
  integer,
  type Variable,
} from './env-variables.ts';
import { issuer, oidcFrom, type OidcConfig } from './oidc-config.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const TELEGRAM = 'https://api.telegram.org';

/** All environment variables. The reference is generated from this table. */
export const VARIABLES = {
  profile: oneOf(
    'PROFILE',
    'Profile of the installation',
    ['standalone', 'team', 'memory'],
    'standalone',
  ),
  host: text('HOST', 'Address to listen on', '127.0.0.1'),
  port: integer('PORT', 'Port to listen on; 0 for any free port', 8080, 0, 65_535),
  publicUrl: baseUrl('PUBLIC_URL', 'Public address of the service'),
  dataDir: text('DATA_DIR', 'Folder of the database, the files and the key', './data'),
  databaseUrl: url('DATABASE_URL', 'Postgres database of the team profile', [
    'postgres',
    'postgresql',
  ]),
  redisUrl: url('REDIS_URL', 'Redis for rate limits and task nudges in the team profile', [
    'redis',
    'rediss',
  ]),
  blobS3: secretUrl(
    'BLOB_S3_URL',
    'Bucket for the files instead of the data folder: `s3://KEY:SECRET@BUCKET/PREFIX?region=…` or `https://KEY:SECRET@HOST/BUCKET/PREFIX?region=…`',
    parseBucketUrl,
  ),
  secretKey: text(
    'SECRET_KEY',
    'Key for secrets at rest, at least 32 characters; by default one is generated in the data folder',
  ),
  logLevel: oneOf('LOG_LEVEL', 'What is logged', LOG_LEVELS, 'info'),
  trustProxy: integer('TRUST_PROXY', 'Number of reverse proxies in front of the service', 0, 0, 10),
  corsOrigins: origins('CORS_ORIGINS', 'Web origins that may call the API'),
  maxUploadBytes: integer(
    'MAX_UPLOAD_BYTES',
    'Maximum size of an uploaded file in bytes',
    2 * 2 ** 30,
    1,
    2 ** 50,
  ),
  maxImportBytes: integer(
    'MAX_IMPORT_BYTES',
    'Maximum size of an imported archive, and of its uncompressed contents, in bytes',
    20 * 2 ** 30,
    1,
    2 ** 50,
  ),
  trashDays: integer('TRASH_DAYS', 'Days until objects in the trash are deleted', 30, 1, 36_500),
  unlockSeconds: integer(
    'UNLOCK_SECONDS',
    'How long the hidden zone remains unlocked',
    900,
    1,
    86_400,
  ),
  outboundAllow: listOf(
    'OUTBOUND_ALLOW',
    'Private destinations that the service may connect to for its owners, each a host, `host:port`, address or CIDR range',
    'a host, host:port, address or CIDR range',
    parseDestination,
  ),
  messengerApiUrl: baseUrl(
    'MESSENGER_API_URL',
    'Address of the Bot API for Telegram bots',
    TELEGRAM,
  ),
  llmUrl: baseUrl(
    'LLM_URL',
    'Address of a model for owners without their own: the part before `/chat/completions`',
  ),
  llmModel: text('LLM_MODEL', 'Name of that model; required with LLM_URL'),
  llmKey: text('LLM_KEY', 'Key of that model, if it needs one'),
  llmContextTokens: integer(
    'LLM_CONTEXT_TOKENS',
    'Context window of that model in tokens, for prompt and answer together',
    DEFAULT_CONTEXT_TOKENS,
    512,
    2_000_000,
  ),
  answerSeconds: integer('ANSWER_SECONDS', "Time limit of a model's answer", 60, 1, 3_600),
  agentEnabled: boolean('AGENT_ENABLED', 'Whether the agent is enabled', true),
  officeEnabled: boolean('OFFICE_ENABLED', 'Whether the office editor is enabled', true),
  officeUrl: baseUrl(
    'OFFICE_URL',
    'Address of an ONLYOFFICE document server, reachable from browsers and from this service',
  ),
  officeJwtSecret: text(
    'OFFICE_JWT_SECRET',
    'The `JWT_SECRET` of that server, at least 32 bytes; required with OFFICE_URL',
  ),
  oidcIssuer: issuer(
    'OIDC_ISSUER',
    'Issuer of an OpenID Connect provider for signing in; `http` on this machine only',
  ),
  oidcClientId: text('OIDC_CLIENT_ID', 'Client id at that provider; required with OIDC_ISSUER'),
  oidcClientSecret: text(
    'OIDC_CLIENT_SECRET',
    'Client secret at that provider; required with OIDC_ISSUER',
  ),
  oidcName: text('OIDC_NAME', 'Name of that provider on the button; by default its host'),
  oidcProvision: text(
    'OIDC_PROVISION',
    'Whether a person of that provider without an account gets one: `off`, or the id of the tenant it is created in',
    'off',
  ),
  oidcRoleClaim: text(
    'OIDC_ROLE_CLAIM',
    'Claim with the account role, a text or a list. If it names roles of the table, the first one in the order of the table is applied at every sign-in',
  ),
  ocrLangs: text(
    'OCR_LANGS',
    'OCR languages for images and scans, such as `eng+rus`; empty disables OCR',
  ),
  tessdataPrefix: text(
    'TESSDATA_PREFIX',
    'Folder with tesseract language data, searched before the packages and the system folders',
  ),
  inboxDir: text(
    'INBOX_DIR',
    'Folder with a folder for each owner, named like the owner or by the id; files in it are taken in',
  ),
  inboxPollSeconds: integer(
    'INBOX_POLL_SECONDS',
    'Interval at which INBOX_DIR is searched, for network file systems, which report no changes; 0 to watch it',
    0,
    0,
    86_400,
  ),
  inboxSettleSeconds: integer(
    'INBOX_SETTLE_SECONDS',
    'How long a file in INBOX_DIR must not have changed before it is taken in',
    5,
    0,
    86_400,
  ),
  maxInFlight: integer(
    'MAX_IN_FLIGHT_REQUESTS',
    'Maximum number of requests in progress per process; further ones are rejected with 503',
    1_000,
    1,
    100_000,
  ),
  maxQueueWaitMs: integer(
    'MAX_QUEUE_WAIT_MS',
    'Maximum time in milliseconds that a request waits in the queue; afterwards it is rejected with 503',
    5_000,
    10,
    60_000,
  ),
  rateCounterMs: integer(
    'RATE_COUNTER_MS',
    'Maximum time in milliseconds that a request waits for the rate limit in Redis; afterwards it is served without',
    150,
    10,
    60_000,
  ),
  rolesFile: text('ROLES_FILE', 'JSON file that replaces the account roles'),
} satisfies Record<string, Variable<unknown>>;

type Read = { readonly [K in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[K]['read']> };

export interface Config extends Read {
  readonly roles: AccountRoles;
  readonly operatorModel: OperatorModel | null;
  readonly messenger: {
    readonly baseUrl: string;
    /** Whether the operator has set it. */
    readonly named: boolean;
  };
  /** null if none is connected, or it is disabled. */
  readonly office: { readonly url: string; readonly secret: string } | null;
  /** null if none is configured. */
  readonly oidc: OidcConfig | null;
  /** null if none is configured. */
  readonly inbox: { readonly path: string; readonly pollMs: number } | null;
  /** Location of the data of each language of OCR_LANGS. */
  readonly ocr: readonly LanguageData[];
}

/**
 * Reads the environment, and `.env` in the working directory with lower precedence. Throws ConfigError for the first
 * invalid value.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const all = { ...dotenv(), ...env };
  const entries = Object.entries(VARIABLES).map(([key, variable]) => [
    key,
    variable.read(Object.hasOwn(all, variable.name) ? all[variable.name] : undefined),
  ]);
  const read = Object.fromEntries(entries) as Read;
  if (read.profile === 'team' && read.databaseUrl === '')
    throw new ConfigError('PROFILE=team needs DATABASE_URL.');
  if (read.profile === 'team' && read.redisUrl === '')
    throw new ConfigError('PROFILE=team needs REDIS_URL.');
  if (read.secretKey !== '' && read.secretKey.length < 32)
    throw new ConfigError('SECRET_KEY is shorter than 32 characters.');
  return {
    ...read,
    dataDir: resolve(read.dataDir),
    roles: rolesFrom(read.rolesFile),
    operatorModel: operatorModelFrom(read),
    messenger: {
      baseUrl: read.messengerApiUrl || TELEGRAM,
      named: read.messengerApiUrl !== '',
    },
    office: officeFrom(read),
    oidc: oidcFrom(read),
    inbox: inboxFrom(read),
    ocr: ocrFrom(read),
  };
}

function dotenv(): NodeJS.Dict<string> {
  const file = join(process.cwd(), '.env');
  if (!existsSync(file)) return {};
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${file}: ${(error as Error).message}.`);
  }
}

function operatorModelFrom({
  llmUrl,
  llmModel,
  llmKey,
  llmContextTokens,
}: Read): OperatorModel | null {
  if (llmUrl === '') return null;
  if (llmModel === '') throw new ConfigError('LLM_URL needs LLM_MODEL.');
  // Sent in a header, which allows visible ASCII only.
  if (!/^[\x21-\x7e]*$/.test(llmKey))
    throw new ConfigError('LLM_KEY holds more than visible ASCII.');
  return {
    endpoint: {
      baseUrl: new URL(llmUrl).href,
      model: llmModel,
      key: llmKey === '' ? null : llmKey,
      temperature: null,
      chosenBy: 'operator',
    },
    contextTokens: llmContextTokens,
  };
}

/** Files of the workspace would be taken in, and moved. */
function inboxFrom({ inboxDir, inboxPollSeconds, dataDir, profile }: Read): Config['inbox'] {
  if (inboxDir === '') return null;
  const path = resolve(inboxDir);
  const isWithin = (inner: string, outer: string) =>
    inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
  const data = resolve(dataDir);
  if (profile !== 'memory' && (isWithin(path, data) || isWithin(data, path)))
    throw new ConfigError('INBOX_DIR and DATA_DIR may not contain each other.');
  return { path, pollMs: inboxPollSeconds * 1_000 };
}

const MIN_SECRET_BYTES = 32;

function officeFrom({ officeEnabled, officeUrl, officeJwtSecret }: Read): Config['office'] {
  const bytes = Buffer.byteLength(officeJwtSecret);
  if (bytes > 0 && bytes < MIN_SECRET_BYTES)
    throw new ConfigError(`OFFICE_JWT_SECRET is shorter than ${MIN_SECRET_BYTES} bytes.`);
  if (officeUrl === '' || !officeEnabled) return null;
  if (bytes === 0) throw new ConfigError('OFFICE_URL needs OFFICE_JWT_SECRET.');
  return { url: officeUrl, secret: officeJwtSecret };
}

function ocrFrom({ ocrLangs, tessdataPrefix }: Read): readonly LanguageData[] {
  return languageCodes(ocrLangs).map((code) => {
    const data = findLanguage(code, tessdataPrefix);
    if (!data)
      throw new ConfigError(
        `OCR_LANGS=${JSON.stringify(ocrLangs)}: there is no data for ${JSON.stringify(code)}. ` +
          'Install the tesseract data of that language, or set TESSDATA_PREFIX to its folder.',
      );
    return data;
  });
}

const LIMITS = ['requests_per_minute', 'questions', 'enrichments', 'storage_bytes'] as const;

function rolesFrom(file: string): AccountRoles {
  if (file === '') return BUILT_IN_ROLES;
  const wrong = (why: string) => new ConfigError(`ROLES_FILE=${JSON.stringify(file)}: ${why}.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrong((error as Error).message);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw wrong('an object of roles is needed');
  const roles = Object.entries(parsed).map(([name, value]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw wrong(`${name} is not an object of limits`);
    const limits = value as Record<string, unknown>;
    // A misspelt limit would have no effect.
    const { operator: isOperator = false, ...counts } = limits;
    if (typeof isOperator !== 'boolean') throw wrong(`${name}.operator is not true or false`);
    const stranger = Object.keys(counts).find((key) => !LIMITS.some((limit) => limit === key));
    if (stranger !== undefined) throw wrong(`${name}.${stranger} is no limit`);
    const count = (key: (typeof LIMITS)[number], nullable: boolean): number | null => {
      const limit = limits[key] ?? null;
      if (limit === null && nullable) return null;
      if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 0)
        throw wrong(`${name}.${key} is not a whole number${nullable ? ' or null' : ''}`);
      return limit;
    };
    return [
      name,
      {
        requestsPerMinute: count('requests_per_minute', false) ?? 0,
        questions: count('questions', true),
        enrichments: count('enrichments', true),
        storageBytes: count('storage_bytes', true),
        ...(isOperator && { isOperator }),
      },
    ] as const;
  });
  if (roles.length === 0) throw wrong('there is no role in it');
  return Object.fromEntries(roles);
}
