import type { Integration } from '../../ports/integrations.ts';
import type { LanguageModel, ModelCheck, ModelEndpoint } from '../../ports/language-model.ts';
import type { Sealer } from '../../ports/secrets.ts';
import { CHECK_MS, SEALED_WITH_OTHER_KEY, type Connection } from './connection.ts';

/** Connection settings of a model, named as in the API. */
export interface ModelConfig {
  /** http or https, in its normal form, without credentials, query and fragment. */
  readonly base_url: string;
  readonly model: string;
  readonly embedding_model?: string;
  readonly temperature?: number;
  readonly context_tokens?: number;
}

export interface ModelDeps {
  readonly models: LanguageModel;
  readonly sealer: Sealer;
}

/** Whether a secret given for one endpoint may be sent to the other: scheme, host and port are the same. */
export const sharesSecret = (a: ModelConfig, b: ModelConfig): boolean =>
  originOf(a) === originOf(b);

/** The endpoint of the connected model; undefined if its secret was sealed with another key. */
export function endpointOf(
  { sealer }: Pick<ModelDeps, 'sealer'>,
  connection: Connection & Partial<Pick<Integration, 'habits'>>,
): { readonly endpoint: ModelEndpoint; readonly contextTokens?: number } | undefined {
  const { base_url, model, temperature, context_tokens } = modelConfig(connection);
  const { sealedSecret } = connection;
  const key = sealedSecret === null ? null : sealer.open(sealedSecret);
  if (key === undefined) return undefined;
  return {
    endpoint: {
      baseUrl: base_url,
      model,
      key,
      temperature: temperature ?? null,
      chosenBy: 'owner',
      ...(connection.habits && { habits: connection.habits }),
    },
    ...(context_tokens !== undefined && { contextTokens: context_tokens }),
  };
}

/** Checks the model, outside of any unit of work. */
export async function checkModel(deps: ModelDeps, connection: Connection): Promise<ModelCheck> {
  const known = endpointOf(deps, connection);
  if (!known) return { ok: false, reason: SEALED_WITH_OTHER_KEY };
  const check = await deps.models.check(known.endpoint, CHECK_MS);
  return check.ok ? { ok: true, habits: check.habits ?? [] } : check;
}

/** The settings stored by `connectModel`. */
export const modelConfig = ({ config }: Pick<Connection, 'config'>): ModelConfig =>
  config as unknown as ModelConfig;

/** Scheme, host and port of a URL in its normal form. */
export const originOf = ({ base_url }: Pick<ModelConfig, 'base_url'>): string =>
  /^https?:\/\/[^/]*/.exec(base_url)?.[0] ?? '';
