import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openS3Service, type Asked, type S3Service } from './fake-s3.ts';
import { startLocalServer, type Site } from './local-server.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs every operation of the adapter, and prints which variables of AWS and which files of ~/.aws were read in the
 * process. With a second argument it does so with a client of the SDK that has no settings: the control.
 */
const PROGRAM = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const variables = new Set();
const note = (name) => /aws|amzn/i.test(String(name)) && variables.add(name);
process.env = new Proxy(process.env, {
  get: (target, name) => (note(name), target[name]),
  has: (target, name) => (note(name), name in target),
});
const files = new Set();
for (const module of [fs, fs.promises])
  for (const name of Object.keys(module).filter((it) => /^(open|read|stat|access|lstat|exists|create)/.test(it))) {
    const original = module[name];
    if (typeof original !== 'function') continue;
    module[name] = function (path, ...rest) {
      if (/[/]\\.aws/.test(String(path))) files.add(String(path));
      return original.call(this, path, ...rest);
    };
  }
syncBuiltinESMExports();

const report = (more) =>
  console.log(JSON.stringify({ variables: [...variables], files: [...files], ...more }));
if (process.argv[2] === 'control') {
  const { S3Client, ListBucketsCommand } = await import('@aws-sdk/client-s3');
  const requestHandler = { handle: () => Promise.reject(new Error('not sent')) };
  await new S3Client({ requestHandler }).send(new ListBucketsCommand()).catch(() => undefined);
  report();
  process.exit();
}
const { S3BlobStore } = await import('./adapters/s3/blob-store.ts');
const { createSsrfSafeConnector } = await import('./adapters/outbound/ssrf-guard.ts');
const { privateNetworks } = await import('./adapters/outbound/destination-policy.ts');
const connector = (ms) => createSsrfSafeConnector({ allowed: privateNetworks() }, ms);
const blobs = new S3BlobStore(JSON.parse(process.argv[1]), { connector });
await blobs.check(5_000);
await blobs.claimBucket('ours');
await blobs.probe(5_000);
const limit = { maxBytes: 2 ** 27 };
async function* broken() {
  yield Buffer.alloc(11 * 2 ** 20, 'x');
  throw new Error('the source broke');
}
const { blobId } = await blobs.write('a lantern', limit);
const large = await blobs.write(Buffer.alloc(6 * 2 ** 20, 'x').toString(), limit);
for await (const chunk of blobs.read(blobId)) if (String(chunk) !== 'a lantern') throw new Error('other bytes');
for await (const entry of blobs.list()) if (!entry.blobId) throw new Error('no id');
await blobs.remove(blobId);
await blobs.remove(large.blobId);
await blobs.write(broken(), limit).catch(() => undefined);
await blobs.removeAbandoned(Date.now());
const refused = await blobs.read(blobId)[Symbol.asyncIterator]().next().catch((error) => error.name);
await blobs.close();
report({ refused });
`;

interface Outcome {
  readonly variables: readonly string[];
  readonly files: readonly string[];
  readonly refused?: string;
}

describe('the S3 client and the environment of AWS tools', function () {
  this.timeout(120_000);
  let service: S3Service;
  let canary: Site;
  let home: string;
  beforeEach(async () => {
    service = await openS3Service();
    canary = await startLocalServer((_, response) => response.end('{}'));
    home = await mkdtemp(join(tmpdir(), 'ow-aws-'));
    await mkdir(join(home, '.aws'));
  });
  afterEach(async () => {
    await service.close();
    await canary.close();
    await rm(home, { recursive: true });
  });

  const outcomeIn = async (env: NodeJS.ProcessEnv, mode = ''): Promise<Outcome> => {
    const { stdout, stderr } = await run(
      process.execPath,
      ['--input-type=module', '--eval', PROGRAM, JSON.stringify(service.place), mode],
      { cwd: ROOT, env: { PATH: process.env['PATH'], HOME: home, ...env } },
    );
    if (mode === '') expect(stderr).to.equal('');
    return JSON.parse(stdout) as Outcome;
  };

  it('sends the same requests with any variables and files present, and contacts no other server', async () => {
    const clean = await outcomeIn({});
    const requested = service.asked.splice(0).map(shapeOf);
    service.objects.clear();
    const hostile = await outcomeIn(await hostileEnvironment(home, canary.origin));
    expect(hostile).to.deep.equal(clean);
    expect(hostile.refused).to.equal('BlobNotFoundError');
    expect(hostile.files).to.deep.equal([]);
    expect([...hostile.variables].sort()).to.deep.equal(HARMLESS);
    expect(service.asked.map(shapeOf)).to.deep.equal(requested);
    const used = new Set(requested.map(({ operation }) => operation));
    expect([...used].sort()).to.deep.equal([
      'AbortMultipartUpload',
      'CompleteMultipartUpload',
      'CreateMultipartUpload',
      'DeleteObject',
      'GetObject',
      'HeadObject',
      'ListMultipartUploads',
      'ListObjectsV2',
      'PutObject',
      'UploadPart',
    ]);
    expect(canary.visits()).to.equal(0);
    expect(existsSync(join(home, 'ran'))).to.equal(false);
  });

  it('describes neither this machine nor its software to the server', async () => {
    await outcomeIn({});
    for (const { headers } of service.asked)
      expect(Object.keys(headers)).not.to.include.oneOf(['user-agent', 'x-amz-user-agent']);
  });

  it('would show in the trace: a client of the SDK without settings reads both', async () => {
    const { files, variables } = await outcomeIn(
      await hostileEnvironment(home, canary.origin),
      'control',
    );
    expect(files).to.include(join(home, '.aws/config'));
    expect(variables).to.include('AWS_REGION');
  });
});

/** A request without the values that differ each time. */
const shapeOf = ({ operation, query, headers }: Asked) => ({
  operation,
  query: [...query.keys()],
  headers: {
    ...headers,
    authorization: headers.authorization?.replace(/(\/)\d{8}(\/)|Signature=.*/g, '$1$2'),
    'amz-sdk-invocation-id': '',
    'x-amz-date': '',
  },
});

/** Read when the SDK is loaded. They switch a warning and a feature of another product. */
const HARMLESS = [
  'AWS_LAMBDA_BENCHMARK_MODE',
  'AWS_LAMBDA_NODEJS_NO_GLOBAL_AWSLAMBDA',
  'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED',
];

/** Everything that the SDK reads by default, with values that lead elsewhere. */
async function hostileEnvironment(home: string, origin: string): Promise<NodeJS.ProcessEnv> {
  const settings = `
region = elsewhere
endpoint_url = ${origin}
retry_mode = adaptive
max_attempts = 9
request_checksum_calculation = when_supported
response_checksum_validation = when_supported
use_dualstack_endpoint = true
use_fips_endpoint = true
s3_use_arn_region = true
s3_disable_express_session_auth = false
defaults_mode = mobile
sdk_ua_app_id = canary
auth_scheme_preference = sigv4a
sigv4a_signing_region_set = *
credential_process = touch ${join(home, 'ran')}
`;
  await writeFile(join(home, '.aws/config'), `[default]${settings}[profile canary]${settings}`);
  const credentials = 'aws_access_key_id = AKIDCANARY\naws_secret_access_key = canary\n';
  await writeFile(
    join(home, '.aws/credentials'),
    `[default]\n${credentials}[canary]\n${credentials}`,
  );
  return {
    AWS_PROFILE: 'canary',
    AWS_CONFIG_FILE: join(home, '.aws/config'),
    AWS_SHARED_CREDENTIALS_FILE: join(home, '.aws/credentials'),
    AWS_SDK_LOAD_CONFIG: '1',
    AWS_ACCESS_KEY_ID: 'AKIDCANARY',
    AWS_SECRET_ACCESS_KEY: 'canary',
    AWS_SESSION_TOKEN: 'canary',
    AWS_REGION: 'elsewhere',
    AWS_DEFAULT_REGION: 'elsewhere',
    AWS_ENDPOINT_URL: origin,
    AWS_ENDPOINT_URL_S3: origin,
    AWS_MAX_ATTEMPTS: '9',
    AWS_RETRY_MODE: 'adaptive',
    AWS_DEFAULTS_MODE: 'auto',
    AWS_EXECUTION_ENV: 'canary',
    AWS_REQUEST_CHECKSUM_CALCULATION: 'WHEN_SUPPORTED',
    AWS_RESPONSE_CHECKSUM_VALIDATION: 'WHEN_SUPPORTED',
    AWS_USE_DUALSTACK_ENDPOINT: 'true',
    AWS_USE_FIPS_ENDPOINT: 'true',
    AWS_S3_USE_ARN_REGION: 'true',
    AWS_S3_DISABLE_EXPRESS_SESSION_AUTH: 'false',
    AWS_AUTH_SCHEME_PREFERENCE: 'sigv4a',
    AWS_SIGV4A_SIGNING_REGION_SET: '*',
    AWS_SDK_UA_APP_ID: 'canary',
    AWS_LAMBDA_FUNCTION_NAME: 'canary',
    _X_AMZN_TRACE_ID: 'canary',
    AWS_EC2_METADATA_SERVICE_ENDPOINT: origin,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: origin,
    AWS_WEB_IDENTITY_TOKEN_FILE: join(home, '.aws/token'),
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/canary',
    HTTP_PROXY: origin,
    HTTPS_PROXY: origin,
  };
}
