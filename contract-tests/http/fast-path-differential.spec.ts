import { expect } from 'chai';
import { BrokenReply, Connection, headerIn, type Reply } from '../fuzz/connection.ts';
import type { Operation } from '../fuzz/contract.ts';
import { requestBytes, targetOf, type Draft } from '../fuzz/draft.ts';
import { READ_CHANGES, mutate } from '../fuzz/mutate.ts';
import { Random } from '../fuzz/random.ts';
import { MAX_REPLY_MS } from '../fuzz/raw-http.ts';
import { validRequest } from '../fuzz/requests.ts';
import { openWorld, type LaneOwner, type World } from '../fuzz/world.ts';
import { SPEC_SEED } from '../seed.ts';
import { eventually, profiles } from './harness.ts';

/**
 * Plain reads do not pass through Express (`isDirect` in `adapters/http/pipeline/pipeline.ts`), which clients must not
 * notice. A request with an `Origin` does pass through Express. An origin that is not listed in CORS_ORIGINS has no
 * effect on the response. So the same request with and without one must get the same response, byte for byte.
 */
const ELSEWHERE = 'https://elsewhere.example';
const DEFAULT_PAIRS = 500;
const MAX_TRIES = 3;
const seed = Number(process.env['FUZZ_SEED'] ?? SPEC_SEED);
const pairs = Number(process.env['FUZZ_READS'] ?? DEFAULT_PAIRS);

/** In one profile pages of another origin are served, which adds a header to every answer. */
const extraOf = (profile: string): Readonly<Record<string, string>> =>
  profile === 'team' ? { CORS_ORIGINS: 'https://app.example' } : {};

for (const profile of profiles)
  describe(`${profile}: a plain read and the same through express`, function () {
    this.timeout(300_000);
    let world: World;
    let owner: LaneOwner;
    let tokens: readonly string[];
    let hiddenTokens: readonly string[];

    before(async () => {
      world = await openWorld(profile, 1, extraOf(profile));
      owner = world.lanes[0]!;
      const { service } = world;
      const { token } = owner;
      const pin = await service.call('POST', '/v1/hidden-pin', { token, body: { pin: '8642' } });
      const [hidden] = owner.pool.get('object_id');
      await service.call('PATCH', `/v1/objects/${hidden}`, {
        token,
        body: { is_hidden: true },
        headers: { 'x-hidden-token': pin.json.token },
      });
      tokens = [token, token, token, ...owner.limitedTokens, `${token.slice(0, -4)}____`];
      hiddenTokens = [pin.json.token, 'garbage'];
      // Unfinished extraction would change the response between two requests.
      await eventually(
        () =>
          service.call('GET', '/v1/objects?include_hidden=true', {
            token,
            headers: { 'x-hidden-token': pin.json.token },
          }),
        ({ json }) =>
          json.items.every(({ status }: { status: string }) => /ready|failed/.test(status)),
        60_000,
      );
    });
    after(() => world.close());

    /** The parameters of one pair; `etag` is the ETag of an earlier response to the same target. */
    const draftOf = (operation: Operation, random: Random, at: number): Draft => {
      const { contract, service, knownFor } = world;
      const source = { contract, pool: owner.pool, random, known: knownFor(operation) };
      const draft = validRequest(source, operation, {
        token: random.pick(tokens),
        host: new URL(service.base).host,
        address: `10.9.${(at >> 8) & 255}.${at & 255}`,
      });
      if (random.chance(0.15)) draft.method = 'HEAD';
      draft.headers = draft.headers.filter(([name]) => name !== 'x-hidden-token');
      if (random.chance(0.4)) draft.headers.push(['X-Hidden-Token', random.pick(hiddenTokens)]);
      if (random.chance(0.4))
        draft.headers.push([
          'Accept-Encoding',
          random.pick(['gzip', 'br', 'gzip, br', 'br;q=0.5, *']),
        ]);
      mutate(draft, random, READ_CHANGES);
      draft.headers = draft.headers.filter(([name]) => name !== 'Origin');
      return draft;
    };

    const send = async (draft: Draft, through: 'short' | 'express'): Promise<Reply | string> => {
      const connection = await Connection.open(world.service.base);
      const headers: Draft['headers'] =
        through === 'express' ? [...draft.headers, ['Origin', ELSEWHERE]] : draft.headers;
      connection.send(requestBytes({ ...draft, headers }));
      try {
        return await connection.read(draft.method, MAX_REPLY_MS);
      } catch (error) {
        if (error instanceof BrokenReply) return error.message;
        throw error;
      } finally {
        connection.close();
      }
    };

    /** Both responses without the parts that always differ: date, request id, and rate-limit reset. */
    const both = async (draft: Draft, shortFirst: boolean) => {
      const order = shortFirst ? (['short', 'express'] as const) : (['express', 'short'] as const);
      const first = await send(draft, order[0]);
      const second = await send(draft, order[1]);
      const [short, express] = shortFirst ? [first, second] : [second, first];
      const compared = [
        comparable(short, draft.operation),
        comparable(express, draft.operation),
      ] as const;
      return { short, compared };
    };

    it(`get the same answer, byte for byte (FUZZ_SEED=${seed})`, async () => {
      const operations = world.contract.operations.filter(
        ({ method, needsOwner, replies }) =>
          method === 'get' && needsOwner && replies.get(200)?.includes('application/json'),
      );
      const statuses = new Map<number, number>();
      for (let at = 0; at < pairs; at++) {
        const random = new Random(seed, 'reads', profile, at);
        const operation = operations[at % operations.length]!;
        const draft = draftOf(operation, random, at);
        for (const conditional of [false, true]) {
          let outcome = await both(draft, random.chance(0.5));
          // A task may have changed something between the two.
          for (let tries = 1; tries < MAX_TRIES && differ(outcome.compared); tries++)
            outcome = await both(draft, random.chance(0.5));
          const { short, compared } = outcome;
          const reported = `${draft.method} ${targetOf(draft).slice(0, 300)} ${draft.changes.join(', ')}`;
          expect(compared[0], reported).to.deep.equal(compared[1]);
          if (typeof short === 'string') break;
          statuses.set(short.status, (statuses.get(short.status) ?? 0) + 1);
          const etag = headerIn(short, 'etag');
          // What tells times may have another ETag at each request.
          if (conditional || etag === undefined || TIMED.includes(operation.id)) break;
          draft.headers = draft.headers.filter(([name]) => name !== 'If-None-Match');
          draft.headers.push(['If-None-Match', conditionOf(etag, random)]);
        }
      }
      // Otherwise most of it would have compared one refusal with another.
      for (const status of [200, 304, 401, 404, 422])
        expect(statuses.get(status) ?? 0, `answers ${status}`).to.be.above(pairs / 100);
    });
  });

const conditionOf = (etag: string, random: Random): string =>
  random.pick([
    etag,
    etag,
    etag.replace('W/', ''),
    `"other", ${etag}`,
    ` ${etag} , W/"x"`,
    `${etag}"`,
    etag.toUpperCase(),
    '*',
    '"*"',
    'W/"other"',
  ]);

const differ = ([one, other]: readonly [unknown, unknown]): boolean =>
  JSON.stringify(one) !== JSON.stringify(other);

const CHANGING = /^(date|x-request-id|ratelimit-remaining|ratelimit-reset)$/i;
/** Their responses contain times or signatures, so no two are equal on either path. */
const TIMED = ['deepHealth', 'officeConfig'];
const OF_THE_BODY = /^(etag|content-length)$/i;

function comparable(reply: Reply | string, { id }: Operation): unknown {
  if (typeof reply === 'string') return reply;
  const { status, headers, body } = reply;
  const isTimed = TIMED.includes(id) && (status < 400 || status === 503);
  const masked = (name: string): boolean =>
    CHANGING.test(name) || (isTimed && OF_THE_BODY.test(name));
  const lines = headers.map(([name, value]) => `${name}: ${masked(name) ? '…' : value}`);
  const text = isTimed ? '' : body.toString('latin1');
  return { status, headers: lines.sort(), body: text };
}
