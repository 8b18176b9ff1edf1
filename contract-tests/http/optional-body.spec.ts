import { expect } from 'chai';
import { mayLackBody } from '../../adapters/http/validation/optional-body.ts';
import type { Route } from '../../adapters/http/route.ts';
import { openApiDocument, routes } from '../../adapters/http/routes/index.ts';
import { profiles, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';

type WithJson = Route & { readonly body: { readonly json: object } };
const withJson = routes.filter(
  (route): route is WithJson =>
    route.access === 'owner' && 'body' in route && route.body !== undefined && 'json' in route.body,
);
const optional = withJson.filter(mayLackBody);
const required = withJson.filter((route) => !mayLackBody(route));

/** A URL of the operation. The path parameters are valid and refer to nothing. */
const addressOf = ({ path }: Route): string =>
  path
    .replace(':op', 'compress')
    .replace(/:(kind)\b/, 's3')
    .replace(/:original_start\b/, '2030-01-01T00:00:00Z')
    .replaceAll(/:\w+/g, MISSING);

describe('operations with an optional body', () => {
  it('create or start something and have no required field', () => {
    expect(optional.map(({ path }) => path)).to.include.members([
      '/v1/integrations/s3/migration',
      '/v1/chats',
      '/v1/objects/reorganize',
    ]);
    for (const { method, path } of optional) expect(method, path).to.equal('post');
  });

  it('are declared in the document, and no other is', () => {
    const { paths } = openApiDocument() as {
      paths: Record<string, Record<string, { requestBody?: { required: boolean } }>>;
    };
    for (const route of withJson) {
      const at = route.path.replaceAll(/:(\w+)/g, '{$1}');
      const described = paths[at]?.[route.method]?.requestBody;
      expect(described?.required, `${route.method} ${at}`).to.equal(!optional.includes(route));
    }
  });
});

for (const profile of profiles)
  describe(`${profile}: an absent body`, function () {
    this.timeout(60_000);
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });

    /** Without the parts that differ between two responses to the same request. */
    const shown = ({ status, json }: Awaited<ReturnType<Served['call']>>) => [
      status,
      status < 300 ? Object.keys(json).sort() : json,
    ];

    for (const route of optional)
      it(`counts as an empty one: ${route.method} ${route.path}`, async () => {
        const send = async (call: Parameters<Served['call']>[2]) =>
          shown(
            await service.call(route.method.toUpperCase(), addressOf(route), {
              token: (await service.newOwner()).token,
              ...call,
            }),
          );
        const empty = await send({ body: {} });
        expect(await send({})).to.deep.equal(empty);
        expect(await send({ headers: { 'content-type': 'application/json' } })).to.deep.equal(
          empty,
        );
        expect(await send({ raw: '', headers: { 'content-type': 'text/plain' } })).to.deep.equal(
          empty,
        );
        const nothing = await send({
          raw: 'null',
          headers: { 'content-type': 'application/json' },
        });
        expect(nothing[0]).to.equal(422);
      });

    it('is an error if a field is required and in every update', async () => {
      for (const route of required) {
        const address = addressOf(route);
        const { status, json } = await service.call(route.method.toUpperCase(), address);
        const errors = (json?.detail ?? []) as { type: string; loc: unknown[] }[];
        const whole = Array.isArray(errors) && errors.find(({ loc }) => loc.length === 1);
        expect(
          [status, whole && whole.type, whole && whole.loc],
          `${route.method} ${address}`,
        ).to.deep.equal([422, 'missing', ['body']]);
      }
    });
  });
