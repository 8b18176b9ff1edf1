import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { toyFile } from '../../adapters/memory/image-editor.ts';
import { cryptoRandom, sha256Digest } from '../../adapters/node/system.ts';
import { makeToken } from '../../core/identity/index.ts';
import { backends, type Backend } from '../backends.ts';
import {
  addOutside,
  BOUND_COMMANDS,
  furnishAccount,
  furnishFolders,
  Owner,
  someOutside,
  withForeign,
  type Outside,
} from '../interference/folder-worlds.ts';
import {
  firstDifference,
  play,
  someSteps,
  upToNames,
  type Lists,
  type Played,
  type Stage,
  type Step,
} from '../interference/noninterference.ts';
import { serveWorld } from '../interference/served-world.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const picture = (seed: string): string => {
  const pixels = createHash('sha256').update(seed).digest('hex');
  const rows = [pixels.slice(0, 3), pixels.slice(3, 6)];
  return toyFile({ format: 'png', quality: 20, width: 3, height: 2, rows });
};
const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 1);

async function addToken(
  backend: Backend,
  { caller }: CoreFixture,
  folderIds: readonly string[] | undefined,
): Promise<string> {
  const deps = { digests: sha256Digest, clock: { now: () => START }, random: cryptoRandom };
  const { token, bearer } = makeToken(deps, { name: 'bound', ...(folderIds && { folderIds }) });
  expect(await backend.uow.write(caller.scope, (s) => s.tokens.add(token))).to.equal(true);
  return bearer;
}

interface World {
  readonly known: Lists;
  readonly played: readonly Played[];
}

interface Life {
  readonly outside: readonly Outside[] | null;
  readonly hasPin: boolean;
  readonly steps: readonly Step[];
  /** What is known in the world with more in it. */
  readonly foreign?: Lists;
  readonly isBound: boolean;
}

/** A workspace in which a caller that is bound to two folders plays the steps. */
async function live(open: () => Promise<Backend>, life: Life, name: string): Promise<World> {
  const backend = await open();
  const world = await openCoreFixture(backend, name);
  const { tenantId } = world.caller.scope;
  world.step(0);
  const other = await world.core.identity.createOwner({ name: 'other', tenant: tenantId });
  const served = await serveWorld(world);
  const asOwner = new Owner(
    (request) =>
      served.send({
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${world.bearer}` },
      }),
    () => world.runPendingTasks(),
  );
  try {
    const at = (number: number) => {
      world.step(number);
      world.now = START + number * MINUTE_MS;
    };
    at(1);
    const known = await furnishFolders(asOwner, picture);
    const bound = await addToken(backend, world, life.isBound ? [...known.folders] : undefined);
    const later: (() => Promise<void>)[] = [];
    if (life.outside) {
      at(20);
      const elsewhere = await furnishAccount(asOwner, known, life.hasPin);
      for (const [n, each] of life.outside.entries()) {
        const add = async () => {
          world.step(10_000 + n);
          await addOutside(asOwner, known, elsewhere, each, picture);
        };
        if (each.after === 0) await add();
        else later[each.after] = add;
      }
    }
    if (life.foreign) Object.assign(known, withForeign(known, life.foreign));
    const tokens = { owner: bound, other: other.first.bearer };
    let steps = 0;
    const stage: Stage = {
      step: at,
      settle: async () => {
        await world.runPendingTasks();
        await later[++steps]?.();
        await world.runPendingTasks();
      },
      send: ({ as = 'owner', ...request }) =>
        served.send({
          ...request,
          headers: {
            ...request.headers,
            ...(as !== 'unknown' && { authorization: `Bearer ${tokens[as]}` }),
          },
        }),
    };
    const before = structuredClone(known);
    const played = await play(stage, known, BOUND_COMMANDS, life.steps);
    expect(served.errors).to.deep.equal([]);
    return { known: before, played };
  } finally {
    served.close();
    await backend.close();
  }
}

async function difference(
  open: () => Promise<Backend>,
  life: Omit<Life, 'outside' | 'foreign' | 'isBound'> & { readonly outside: readonly Outside[] },
  isBound: boolean,
  name: string,
): Promise<string | undefined> {
  const one = await live(open, { ...life, isBound }, name);
  const foreign = structuredClone(one.known);
  const alone = { ...life, outside: null, foreign, isBound };
  const other = await live(open, alone, `${name}-alone`);
  const found = firstDifference(
    await upToNames(one.played, one.known),
    await upToNames(other.played, other.known),
  );
  return found && `${found}\n${transcript(one.played)}`;
}

const transcript = (played: readonly Played[]): string =>
  played
    .filter(({ command }) => command !== 'sweep')
    .map(({ command, sent, reply }) => `${command}: ${sent} ${reply.status}`)
    .join('\n');

describe('a token that is bound to folders: no sequence of requests reveals anything else', () => {
  for (const [name, open] of backends)
    it(`${name}: two workspaces that differ outside its folders give it the same replies`, async function () {
      this.timeout(240_000);
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          someOutside,
          fc.boolean(),
          someSteps(BOUND_COMMANDS, 14),
          async (outside, hasPin, steps) => {
            const life = { outside, hasPin, steps };
            const found = await difference(
              open,
              life,
              true,
              `${name}-${++run}-${process.pid}-${Date.now()}`,
            );
            if (found !== undefined) expect.fail(found);
          },
        ),
        { numRuns: name === 'memory' ? 20 : 3, endOnFailure: true },
      );
    });

  it('is not true of a token that is not bound', async function () {
    this.timeout(60_000);
    const outside: Outside = {
      as: 'note',
      words: ['harbour'],
      isTwin: false,
      place: 'no folder',
      past: [],
      after: 0,
    };
    const [, open] = backends[0]!;
    const life = { outside: [outside], hasPin: false, steps: [] };
    expect(await difference(open, life, false, 'unbound')).to.be.a('string');
  });
});
