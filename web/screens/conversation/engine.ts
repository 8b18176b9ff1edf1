import { t } from '../../i18n/ask.ts';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { isInOwnNetwork } from '../../data/own-network.ts';
import { useResource } from '../../data/resource.ts';
import { EXTRACTIVE } from './exchange.ts';

/** Who answered and where it runs: `qwen3:8b, in your own network`. */
export function useEngineName(engine: string | null): string {
  const isModel = engine !== null && engine !== EXTRACTIVE;
  const { data } = useResource(isModel ? 'llm' : 'none', async (signal) =>
    isModel
      ? reply(
          api.GET('/v1/integrations/{kind}', {
            params: { path: { kind: 'llm' as const } },
            signal,
          }),
        )
      : undefined,
  );
  if (engine === null) return '';
  if (engine === EXTRACTIVE) return t().ask.builtIn;
  const { model, base_url: address } = (data?.config ?? {}) as Record<string, unknown>;
  if (model !== engine || typeof address !== 'string' || !URL.canParse(address)) return engine;
  const { hostname } = new URL(address);
  return isInOwnNetwork(hostname) ? t().ask.inOwnNetwork(engine) : t().ask.atHost(engine, hostname);
}
