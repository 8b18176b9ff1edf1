import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { CoreDeps } from '../../core/index.ts';
import { toyFile } from '../../adapters/memory/image-editor.ts';
import { backends } from '../backends.ts';
import { AREAS, COMMANDS, CONVERSATIONS, type Command } from '../interference/commands.ts';
import {
  conceal,
  erase,
  firstDifference,
  furnish,
  literal,
  play,
  someHidden,
  someSteps,
  upToNames,
  type Hidden,
  type Played,
  type Stage,
  type Step,
} from '../interference/noninterference.ts';
import { serveWorld } from '../interference/served-world.ts';
import { openCoreFixture } from './core-fixture.ts';

const open = backends[0]![1];
const picture = (seed: string): string => {
  const pixels = createHash('sha256').update(seed).digest('hex');
  const rows = [pixels.slice(0, 3), pixels.slice(3, 6)];
  return toyFile({ format: 'png', quality: 20, width: 3, height: 2, rows });
};
const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 1);

type Over = Partial<Pick<CoreDeps, 'roles'>>;

/** A separate service in this process, with its requests over HTTP. */
async function withStage<T>(
  over: Over,
  work: (stage: Stage, errors: readonly unknown[]) => Promise<T>,
): Promise<T> {
  const backend = await open();
  // Worlds with the same name in separate databases generate the same ids.
  const world = await openCoreFixture(backend, 'law', over);
  const { core } = world;
  world.step(0);
  const other = await core.identity.createOwner({
    name: 'other',
    tenant: world.caller.scope.tenantId,
  });
  const served = await serveWorld(world);
  const tokens = { owner: world.bearer, other: other.first.bearer };
  const stage: Stage = {
    step: (number) => {
      world.step(number);
      world.now = START + number * MINUTE_MS;
    },
    settle: () => world.runPendingTasks(),
    send: ({ as = 'owner', ...request }) =>
      served.send({
        ...request,
        headers: {
          ...request.headers,
          ...(as !== 'unknown' && { authorization: `Bearer ${tokens[as]}` }),
        },
      }),
  };
  try {
    return await work(stage, served.errors);
  } finally {
    served.close();
    await backend.close();
  }
}

/** `erased`: the objects that are hidden in the other world were deleted. `never`: they never existed. */
type Absence = 'erased' | 'never';

async function inBothWorlds(
  commands: readonly Command[],
  over: Over,
  absence: Absence,
  hidden: readonly Hidden[],
  steps: readonly Step[],
) {
  const one = await withStage(over, async (stage, errors) => {
    const known = await furnish(stage, picture);
    await conceal(stage, known, hidden, picture);
    const played = await play(stage, known, commands, steps);
    expect(errors).to.deep.equal([]);
    return { known, played };
  });
  const { known } = one;
  const other = await withStage(over, async (stage, errors) => {
    const own = await furnish(stage, picture);
    if (absence === 'erased') await erase(stage, own, await conceal(stage, own, hidden, picture));
    else {
      await conceal(stage, own, [], picture);
      const { objects, folders, themes, shares, shareTokens, notifications, chats } = own;
      Object.assign(own, known, {
        objects,
        folders,
        themes,
        shares,
        shareTokens,
        notifications,
        chats,
      });
    }
    const played = await play(stage, own, commands, steps);
    expect(errors).to.deep.equal([]);
    return { known: own, played };
  });
  return { one, other };
}

type Both = Awaited<ReturnType<typeof inBothWorlds>>;

async function requireSame({ one, other }: Both): Promise<void> {
  const same = (a: readonly string[], b: readonly string[]) =>
    JSON.stringify(a) === JSON.stringify(b);
  if (same(literal(one.played), literal(other.played))) return;
  // Random values may differ: ids of one world are mapped to those of the other.
  const [a, b] = [
    await upToNames(one.played, one.known),
    await upToNames(other.played, other.known),
  ];
  const found = firstDifference(a, b);
  if (found !== undefined) expect.fail(`${found}\n${transcript(one.played)}`);
}

const transcript = (played: readonly Played[]): string =>
  played
    .filter(({ command }) => command !== 'sweep')
    .map(({ command, sent, reply }) => `${command}: ${sent} ${reply.status}`)
    .join('\n');

function law(
  title: string,
  commands: readonly Command[],
  absence: Absence,
  numRuns: number,
  over: Over = {},
): void {
  it(title, async function () {
    this.timeout(240_000);
    await fc.assert(
      fc.asyncProperty(someHidden, someSteps(commands, 14), async (hidden, steps) =>
        requireSame(await inBothWorlds(commands, over, absence, hidden, steps)),
      ),
      { numRuns },
    );
  });
}

/** Frequent enough that most sequences contain some of them. */
const repeated = (commands: readonly Command[]): readonly Command[] =>
  Array.from({ length: Math.ceil(COMMANDS.length / commands.length) }, () => commands).flat();

describe('a locked zone: no sequence of requests reveals hidden objects', () => {
  law('apart from what was erased for good', COMMANDS, 'erased', 24);
  law('apart from what never was', COMMANDS, 'never', 12);
  for (const absence of ['erased', 'never'] as const)
    law(`in conversations (${absence})`, [...COMMANDS, ...repeated(CONVERSATIONS)], absence, 15);
  for (const { title, commands, over } of AREAS)
    law(`with ${title}`, [...COMMANDS, ...repeated(commands)], 'erased', 15, over);
});
