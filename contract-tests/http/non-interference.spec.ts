import { expect } from 'chai';
import fc from 'fast-check';
import { COMMANDS } from '../interference/commands.ts';
import { httpClient } from '../interference/http-client.ts';
import {
  conceal,
  erase,
  firstDifference,
  furnish,
  play,
  someHidden,
  someSteps,
  upToNames,
  type Stage,
} from '../interference/noninterference.ts';
import { profiles, startService, type Service } from './harness.ts';

const picture = (seed: string): string => `no picture of ${seed}`;
const SETTLED_WITHIN_MS = 30_000;

/** An owner of its own of a service, with another owner in the tenant. */
async function stageOf(service: Service, tenant: string): Promise<Stage & { close(): void }> {
  const client = httpClient(service.base);
  const first = await service.newOwner(undefined, tenant);
  const other = await service.newOwner(undefined, tenant);
  const tokens = { owner: first.token, other: other.token };
  const send: Stage['send'] = ({ as = 'owner', ...request }) =>
    client.send({
      ...request,
      headers: {
        ...request.headers,
        ...(as !== 'unknown' && { authorization: `Bearer ${tokens[as]}` }),
      },
    });
  return {
    send,
    step: () => undefined,
    settle: async () => {
      const deadline = Date.now() + SETTLED_WITHIN_MS;
      for (;;) {
        const lists = await Promise.all(
          ['', '&trashed=true'].map((query) =>
            send({ method: 'GET', path: `/v1/objects?limit=100&include_hidden=true${query}` }),
          ),
        );
        if (!lists.some(({ body }) => /"status":"(pending|processing)"/.test(body.toString())))
          return;
        if (Date.now() > deadline) throw new Error('The objects are still being read.');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    close: () => client.close(),
  };
}

/** Changes made by background work at its own pace cannot be compared between two owners of one running service. */
const TIMED =
  /enrich|reorgan|image|save|version|correct|migrate|agent chat|import|export|turn|ask|bulk (by|run)/;
const commands = COMMANDS.filter(({ name }) => !TIMED.test(name));

/** The object named as a picture is a text, which no image operation accepts. */
const hiddenHere = someHidden.map((all) =>
  all.map((each) => ({ ...each, past: each.past.filter((past) => past !== 'turned') })),
);

for (const profile of profiles)
  describe(`${profile}: a locked zone, as it is served`, function () {
    this.timeout(240_000);
    let service: Service;
    before(async () => {
      service = await startService(profile, { LOG_LEVEL: 'fatal' });
    });
    after(() => service.dispose());

    it('reveals nothing hidden in a sequence of requests (non-interference)', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(hiddenHere, someSteps(commands, 12), async (hidden, steps) => {
          const replies: (readonly string[])[] = [];
          for (const isErased of [false, true]) {
            const tenant = `law-${++run}-${Date.now()}`;
            await service.cli('tenant', 'create', tenant);
            const stage = await stageOf(service, tenant);
            try {
              const known = await furnish(stage, picture);
              const token = await conceal(stage, known, hidden, picture);
              if (isErased) await erase(stage, known, token);
              replies.push(await upToNames(await play(stage, known, commands, steps), known));
            } finally {
              stage.close();
            }
          }
          const found = firstDifference(replies[0]!, replies[1]!);
          if (found !== undefined) expect.fail(found);
        }),
        { numRuns: 3, endOnFailure: true },
      );
    });
  });
