import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import { routes } from '../../adapters/http/routes/index.ts';
import { profiles, startService, type Service } from './harness.ts';

// The first owner of a standalone installation is its operator; in a team, the owner of a role is.
const BESIDE = ['openApi', 'deepHealth', 'getOperatorRights', 'getOperatorState'];
const targets = routes.filter(({ access, name }) => access === 'owner' && !BESIDE.includes(name));
const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';

/** Values that have broken something somewhere: types mixed up, bounds, alphabets, prototypes. */
const awkward = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1,
    5.5,
    1e30,
    2 ** 53,
    '',
    ' ',
    'x',
    MISSING,
    '\0',
    '\ud800',
    '😀'.repeat(300),
    '2026-01-05T09:00',
    '0001-01-01T00:00:00+23:59',
    '9999-12-31',
    'FREQ=DAILY;COUNT=3',
    'Europe/Berlin',
  ),
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constant({ __proto__: null, constructor: 1 }),
  fc.array(fc.constantFrom(MISSING, 'x', 7), { maxLength: 5 }),
);
const word = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    '-1',
    '100',
    '101',
    'true',
    'off',
    MISSING,
    '',
    '%00',
    '%ff',
    '9'.repeat(30),
    '2026-01-05T09:00:00Z',
    '2026-02-01',
    '9999-12-31T23:59:59-23:59',
    '..',
    'x y',
    '"',
    '*',
    '-',
  ),
  fc.string({ maxLength: 20 }),
);

type Node = Record<string, unknown>;
const namesOf = (schema: unknown): string[] =>
  Object.keys((schema as Node | undefined)?.['properties'] ?? {});

interface Shot {
  readonly at: number;
  readonly params: readonly string[];
  readonly query: readonly (readonly [number, string])[];
  readonly fields: readonly unknown[];
  readonly junk: Uint8Array | undefined;
  readonly type: string;
  readonly key: string | undefined;
}

const shot: fc.Arbitrary<Shot> = fc.record({
  at: fc.nat(targets.length - 1),
  params: fc.array(
    fc.oneof({ weight: 3, arbitrary: fc.constant(MISSING) }, { weight: 1, arbitrary: word }),
    { minLength: 2, maxLength: 2 },
  ),
  query: fc.array(fc.tuple(fc.nat(12), word), { maxLength: 3 }),
  fields: fc.array(awkward, { maxLength: 6 }),
  junk: fc.option(fc.uint8Array({ maxLength: 60 }), { nil: undefined, freq: 8 }),
  type: fc.constantFrom(
    'application/json',
    'application/json',
    'application/x+json',
    'text/plain',
    'multipart/form-data; boundary=x',
    '',
  ),
  key: fc.option(fc.stringMatching(/^[a-z]{1,3}$/), { nil: undefined, freq: 4 }),
});

/** The request that a fuzz input describes, the same for every service. */
function requestOf({ at, params, query, fields, junk, type, key }: Shot) {
  const route = targets[at]!;
  let used = 0;
  const path = route.path.replaceAll(/:\w+/g, () => {
    const sent = encodeURIComponent(params[used++]?.toWellFormed() ?? '');
    // The client would resolve these path segments and request another path.
    return sent === '' || sent === '.' || sent === '..' ? MISSING : sent;
  });
  const known = [...namesOf(route.query), 'unknown'];
  const search = query.map(
    ([n, value]) =>
      `${known[n % known.length]}=${value.includes('%') ? value : encodeURIComponent(value.toWellFormed())}`,
  );
  const schema = route.body && 'json' in route.body ? route.body.json : undefined;
  const names = [...namesOf(schema), 'other'];
  const body = Object.fromEntries(
    fields.map((value, i) => [names[i % names.length] ?? 'x', value]),
  );
  const sendsBody = route.method !== 'get' && route.method !== 'head';
  return {
    route,
    method: route.method.toUpperCase(),
    path: `${path}${search.length ? `?${search.join('&')}` : ''}`,
    call: {
      headers: {
        ...(type && sendsBody && { 'content-type': type }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(sendsBody && { raw: junk ?? JSON.stringify(body) }),
    },
  };
}

describe('fuzz', function () {
  this.timeout(180_000);
  const services: Service[] = [];
  before(async () => {
    for (const profile of profiles) services.push(await startService(profile));
  });
  after(async () => {
    for (const service of services) await service.dispose();
  });

  it('no request gets a 5xx, an undocumented status or a different response from the other database', async () => {
    const document = (await services[0]!.call('GET', '/v1/openapi.json')).json;
    const ajv = new Ajv2020({ strict: false });
    (addFormats as unknown as (a: Ajv2020) => void)(ajv);
    ajv.addSchema({ ...document, $id: 'document' });
    const shaped = (pointer: string, value: unknown) => {
      const validate = ajv.getSchema(`document#${pointer}`);
      expect(validate?.(value), `${pointer}: ${ajv.errorsText(validate?.errors)}`).to.equal(true);
    };
    await fc.assert(
      fc.asyncProperty(shot, async (each) => {
        const { route, method, path, call } = requestOf(each);
        const statuses = [];
        for (const service of services) {
          const answer = await service.call(method, path, call);
          statuses.push(answer.status);
          const reported = `${method} ${path} ${answer.status} ${answer.text.slice(0, 300)}`;
          // No model is connected here: the agent's 503 is a correct response.
          if (answer.json?.code !== 'agent_disabled')
            expect(answer.status, reported).to.be.below(500);
          const operation = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')][route.method];
          expect(Object.keys(operation.responses), reported).to.include(String(answer.status));
          expect(answer.headers.get('x-request-id')).to.be.a('string');
          if (method === 'HEAD') expect(answer.text).to.equal('');
          else if (answer.status === 422)
            shaped('/components/schemas/ValidationError', answer.json);
          else if (answer.status >= 400) shaped('/components/schemas/Error', answer.json);
        }
        expect(new Set(statuses).size, `${method} ${path}: ${statuses.join(' and ')}`).to.equal(1);
      }),
      { numRuns: 1500 },
    );
    for (const service of services)
      expect((await service.call('GET', '/health')).status).to.equal(200);
  });
});
