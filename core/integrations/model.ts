import type { LanguageModel, ModelCheck, ModelEndpoint } from '../../ports/language-model.ts';
import type { Sealer } from '../../ports/secrets.ts';
import { CHECK_MS, SEALED_OTHERWISE, type Connection } from './connection.ts';

/** How a model is reached, named as on the wire. */
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

/** Whether a secret that was given for the one may be sent to the other: host, port and scheme are the same. */
export const sharesSecret = (a: ModelConfig, b: ModelConfig): boolean =>
  originOf(a) === originOf(b);

/** How the connected model is asked; undefined where its secret was sealed under another key. */
export function endpointOf(
  { sealer }: Pick<ModelDeps, 'sealer'>,
  connection: Connection,
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
    },
    ...(context_tokens !== undefined && { contextTokens: context_tokens }),
  };
}

/** Asks the model, outside of any unit of work. */
export async function tryModel(deps: ModelDeps, connection: Connection): Promise<ModelCheck> {
  const known = endpointOf(deps, connection);
  if (!known) return { ok: false, reason: SEALED_OTHERWISE };
  return deps.models.check(known.endpoint, CHECK_MS);
}

/** What `connectModel` has put there. */
export const modelConfig = ({ config }: Pick<Connection, 'config'>): ModelConfig =>
  config as unknown as ModelConfig;

/** Scheme, host and port, of an address in its normal form. */
const originOf = ({ base_url }: ModelConfig): string =>
  /^https?:\/\/[^/]*/.exec(base_url)?.[0] ?? '';
