import type { ModelEndpoint } from '../../ports/language-model.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { endpointOf, SEALED_WITH_OTHER_KEY } from '../integrations/index.ts';
import { modelFailed } from './errors.ts';

/** The operator's model, for owners who have not connected one. */
export interface OperatorModel {
  readonly endpoint: ModelEndpoint;
  readonly contextTokens: number;
}

export interface EngineDeps {
  readonly sealer: Sealer;
  readonly operatorModel: OperatorModel | null;
}

/** The answering engine: the built-in one, which quotes sentences of the documents, or a model. */
export type Engine = { readonly kind: 'extractive' } | ModelEngine;

export interface ModelEngine {
  readonly kind: 'model';
  readonly endpoint: ModelEndpoint;
  /** The context window in tokens, for prompt and answer together. */
  readonly contextTokens: number;
  /** Whether its use counts towards the owner's monthly limits. */
  readonly metered: boolean;
}

export const EXTRACTIVE: Engine = { kind: 'extractive' };
/** Its name in answers, and in requests for an answer of it. */
const EXTRACTIVE_NAME = 'extractive';

/** The engine that a caller requests: `auto` is the one that `engineFor` chooses. */
export const ENGINE_CHOICES = ['auto', EXTRACTIVE_NAME] as const;
export type EngineChoice = (typeof ENGINE_CHOICES)[number];

/** Default context window: that of small models. */
export const DEFAULT_CONTEXT_TOKENS = 8_192;

/**
 * The owner's model if one is connected and enabled, else the operator's, else the built-in engine. Ends with
 * `upstream_failed` if the owner's stored secret cannot be opened: there is no silent fallback. The built-in engine can
 * be chosen regardless of any model.
 */
export async function engineFor(
  deps: EngineDeps,
  { integrations }: Pick<Stores, 'integrations'>,
  choice: EngineChoice = 'auto',
): Promise<Engine> {
  if (choice === EXTRACTIVE_NAME) return EXTRACTIVE;
  const own = await integrations.find('llm');
  if (own?.enabled) {
    const connection = endpointOf(deps, own);
    if (!connection) throw modelFailed(SEALED_WITH_OTHER_KEY);
    const { endpoint, contextTokens = DEFAULT_CONTEXT_TOKENS } = connection;
    return { kind: 'model', endpoint, contextTokens, metered: false };
  }
  return deps.operatorModel ? { kind: 'model', ...deps.operatorModel, metered: true } : EXTRACTIVE;
}

/** The name of the engine in an answer. */
export const nameOf = (engine: Engine): string =>
  engine.kind === 'model' ? engine.endpoint.model : EXTRACTIVE_NAME;
