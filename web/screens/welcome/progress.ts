import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { useResource, type Resource } from '../../data/resource.ts';
import { canUsePasskeys } from '../sign-in/passkey.ts';
import { readRuns } from '../tidy/plan.ts';

export interface Progress {
  /** `impossible`: the address of the service or the browser has none. */
  readonly passkey: 'made' | 'open' | 'impossible';
  readonly hasAsked: boolean;
  readonly hasFiled: boolean;
  /** A language model of the owner writes the answers. */
  readonly hasModel: boolean;
  /** Neither a model nor a bucket of the owner is connected. */
  readonly isLocal: boolean;
}

/** What has been done, as the service knows it: on any device. */
export const useProgress = (): Resource<Progress> =>
  useResource(
    'progress',
    async (signal) => {
      const chats = { query: { kind: 'ask' as const, limit: 1 } };
      const [ways, passkeys, asked, runs, integrations] = await Promise.all([
        reply(api.GET('/v1/sign-in', { signal })),
        reply(api.GET('/v1/me/passkeys', { signal })),
        reply(api.GET('/v1/chats', { params: chats, signal })),
        readRuns(signal),
        reply(api.GET('/v1/integrations', { signal })),
      ]);
      const connected = integrations.items.filter((each) => each.configured && each.enabled);
      const isPossible = ways.methods.passkey && canUsePasskeys();
      return {
        passkey: passkeys.items.length > 0 ? 'made' : isPossible ? 'open' : 'impossible',
        hasAsked: asked.total > 0,
        hasFiled: runs.some(
          ({ dry_run: isPlan, done, scope }) => !isPlan && done && scope !== 'upload',
        ),
        hasModel: connected.some(({ kind }) => kind === 'llm'),
        isLocal: connected.length === 0,
      };
    },
    ['access', 'chats', 'tasks'],
  );
