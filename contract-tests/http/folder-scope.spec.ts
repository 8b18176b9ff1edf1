import { expect } from 'chai';
import fc from 'fast-check';
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
import { httpClient, type HttpClient, type HttpRequest } from '../interference/http-client.ts';
import {
  firstDifference,
  play,
  someSteps,
  upToNames,
  type Lists,
  type Stage,
  type Step,
} from '../interference/noninterference.ts';
import { boundToken } from './bound-token.ts';
import { profiles, startService, type Service } from './harness.ts';

const picture = (seed: string): string => `no picture of ${seed}`;
const SETTLED_WITHIN_MS = 30_000;

/** Changes made by background work at its own pace cannot be compared between two owners of one running service. */
const TIMED =
  /enrich|reorgan|image|save|version|correct|migrate|agent chat|import|export|turn|ask|bulk (by|run)/;
const commands = BOUND_COMMANDS.filter(({ name }) => !TIMED.test(name));

const withToken = (client: HttpClient, token: string) => (request: HttpRequest) =>
  client.send({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${token}` },
  });

/** Waits until no object of the owner is being read. */
async function settled(send: (request: HttpRequest) => ReturnType<HttpClient['send']>) {
  const deadline = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const lists = await Promise.all(
      ['', '&trashed=true'].map((query) =>
        send({ method: 'GET', path: `/v1/objects?limit=100&include_hidden=true${query}` }),
      ),
    );
    if (!lists.some(({ body }) => /"status":"(pending|processing)"/.test(body.toString()))) return;
    if (Date.now() > deadline) throw new Error('The objects are still being read.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Life {
  readonly outside: readonly Outside[] | null;
  readonly hasPin: boolean;
  readonly steps: readonly Step[];
  readonly foreign?: Lists;
}

/** Both owners live in one tenant, each with a third one. */
async function live(service: Service, tenant: string, life: Life) {
  const first = await service.newOwner(undefined, tenant);
  // Of its own in each life: what it has uploaded in one would be a duplicate in the other.
  const { token: third } = await service.newOwner(undefined, tenant);
  const client = httpClient(service.base);
  try {
    const asOwner = withToken(client, first.token);
    const owner = new Owner(asOwner, () => settled(asOwner));
    let known = await furnishFolders(owner, picture);
    const tokens = {
      owner: await boundToken(service, first.token, known.folders),
      other: third,
    };
    if (life.outside) {
      const elsewhere = await furnishAccount(owner, known, life.hasPin);
      for (const each of life.outside) await addOutside(owner, known, elsewhere, each, picture);
    }
    if (life.foreign) known = withForeign(known, life.foreign);
    const stage: Stage = {
      step: () => undefined,
      settle: () => settled(asOwner),
      send: ({ as = 'owner', ...request }) =>
        as === 'unknown' ? client.send(request) : withToken(client, tokens[as])(request),
    };
    const before = structuredClone(known);
    const played = await play(stage, known, commands, life.steps);
    return { known: before, replies: await upToNames(played, before) };
  } finally {
    client.close();
  }
}

for (const profile of profiles)
  describe(`${profile}: a token that is bound to folders, as it is served`, function () {
    this.timeout(240_000);
    let service: Service;
    before(async () => {
      service = await startService(profile, { LOG_LEVEL: 'fatal' });
    });
    after(() => service.dispose());

    it('gets the same replies in two workspaces that differ outside its folders', async () => {
      const tenant = `law-${Date.now()}`;
      await service.cli('tenant', 'create', tenant);
      await fc.assert(
        fc.asyncProperty(
          // A text that is named as a picture can not be turned.
          someOutside.map((all) =>
            all.map((each) => ({ ...each, past: each.past.filter((past) => past !== 'turned') })),
          ),
          fc.boolean(),
          someSteps(commands, 12),
          async (outside, hasPin, steps) => {
            const one = await live(service, tenant, { outside, hasPin, steps });
            const alone = { outside: null, hasPin, steps, foreign: one.known };
            const other = await live(service, tenant, alone);
            const found = firstDifference(one.replies, other.replies);
            if (found !== undefined) expect.fail(found);
          },
        ),
        { numRuns: 2, endOnFailure: true },
      );
    });
  });
