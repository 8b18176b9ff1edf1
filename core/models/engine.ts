import type { ModelEndpoint } from '../../ports/language-model.ts';
import type { Sealer } from '../../ports/secrets.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { endpointOf, SEALED_OTHERWISE } from '../integrations/index.ts';
import { modelFailed } from './errors.ts';

/** The model that the operator offers to every owner who has connected none. */
export interface OperatorModel {
  readonly endpoint: ModelEndpoint;
  readonly contextTokens: number;
}

export interface EngineDeps {
  readonly sealer: Sealer;
  readonly operatorModel: OperatorModel | null;
}

/** What answers: the built-in engine in the documents' own sentences, or a model. */
export type Engine = { readonly kind: 'extractive' } | ModelEngine;

export interface ModelEngine {
  readonly kind: 'model';
  readonly endpoint: ModelEndpoint;
  /** What the model can hold at once, question and answer together. */
  readonly contextTokens: number;
  /** Whether its use counts against the monthly limits of the owner. */
  readonly metered: boolean;
}

export const EXTRACTIVE: Engine = { kind: 'extractive' };
/** As answers name it. */
const EXTRACTIVE_NAME = 'extractive';

/** Where nobody says what a model can hold: what small ones do. */
export const USUAL_CONTEXT_TOKENS = 8_192;

/**
 * The owner's own model where one is connected and switched on, else the operator's, else the built-in engine. Ends
 * with `upstream_failed` where the stored secret of the owner's can not be read: it never becomes another one silently.
 */
export async function engineFor(
  deps: EngineDeps,
  { integrations }: Pick<Stores, 'integrations'>,
): Promise<Engine> {
  const own = await integrations.find('llm');
  if (own?.enabled) {
    const connection = endpointOf(deps, own);
    if (!connection) throw modelFailed(SEALED_OTHERWISE);
    const { endpoint, contextTokens = USUAL_CONTEXT_TOKENS } = connection;
    return { kind: 'model', endpoint, contextTokens, metered: false };
  }
  return deps.operatorModel ? { kind: 'model', ...deps.operatorModel, metered: true } : EXTRACTIVE;
}

/** As an answer names what made it. */
export const nameOf = (engine: Engine): string =>
  engine.kind === 'model' ? engine.endpoint.model : EXTRACTIVE_NAME;
