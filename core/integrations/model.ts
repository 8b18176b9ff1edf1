import type { Integration } from '../../ports/integrations.ts';
import type { LanguageModel, ModelCheck, ModelEndpoint } from '../../ports/language-model.ts';
import type { Sealer } from '../../ports/secrets.ts';

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

/** What goes together: a secret belongs to the place it was given for. */
export type Connection = Pick<Integration, 'config' | 'sealedSecret' | 'secretHint'>;

const CHECK_MS = 10_000;
/** A shorter secret would be half told by its hint. */
const SHORTEST_HINTED = 8;

/** The secret that was sent, or the stored one as long as it goes to no other host, port or scheme; '' drops it. */
export function connectionFor(
  { sealer }: Pick<ModelDeps, 'sealer'>,
  config: ModelConfig,
  sent: string | undefined,
  stored: Connection | undefined,
): Connection {
  const plain = { ...config };
  if (sent !== undefined && sent !== '')
    return { config: plain, sealedSecret: sealer.seal(sent), secretHint: hintOf(sent) };
  const stays = sent === undefined && stored && originOf(modelConfig(stored)) === originOf(config);
  return stays
    ? { ...stored, config: plain }
    : { config: plain, sealedSecret: null, secretHint: '' };
}

export const SEALED_OTHERWISE = 'The stored secret was sealed under another key. Send it again.';

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

/** Whether what was tried is still what is stored. */
export const sameConnection = (a: Connection | undefined, b: Connection | undefined): boolean =>
  a?.sealedSecret === b?.sealedSecret &&
  JSON.stringify(a?.config ?? null) === JSON.stringify(b?.config ?? null);

/** What `connectionFor` has put there. */
const modelConfig = ({ config }: Connection): ModelConfig => config as unknown as ModelConfig;

/** Scheme, host and port, of an address in its normal form. */
const originOf = ({ base_url }: ModelConfig): string =>
  /^https?:\/\/[^/]*/.exec(base_url)?.[0] ?? '';

const hintOf = (secret: string): string =>
  secret.length < SHORTEST_HINTED ? '' : secret.slice(-4);
