import type { LanguageModel } from '../../ports/language-model.ts';
import {
  truncateToTokens,
  collectText,
  estimateTokens,
  type ModelEngine,
} from '../models/index.ts';
import { wellFormed } from '../text/index.ts';

const RULES = [
  'Somebody searched their own documents with a question and found nothing. Documents are found by the words in them.',
  'Write what else to search for: other words for the same, the words such a document would use itself, the question in',
  'other languages the documents may be in.',
  'Answer with one JSON object and nothing else: {"searches": ["…", "…"]}, three at most.',
].join(' ');

/** Share of the context window for the rules and the question. */
const ASKED_PART = 0.5;
const MAX_SEARCHES = 3;
const MAX_SEARCH_LENGTH = 300;

/** Alternative searches for a question; empty if the model returns none. */
export async function expandQuery(
  models: LanguageModel,
  { endpoint, contextTokens }: ModelEngine,
  question: string,
  totalMs: number,
  left: Promise<void>,
): Promise<readonly string[]> {
  const messages = [
    { role: 'system', content: RULES },
    {
      role: 'user',
      content: truncateToTokens(question, contextTokens * ASKED_PART - estimateTokens(RULES)),
    },
  ] as const;
  // Not every service supports JSON mode. A reply that is not JSON yields no search.
  const { text } = await collectText(models, { endpoint, messages, totalMs }, left);
  return searchesIn(text);
}

/** Other types of values are ignored. */
function searchesIn(text: string): readonly string[] {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  let reply: unknown;
  try {
    reply = JSON.parse(json);
  } catch {
    return [];
  }
  const { searches } = (reply ?? {}) as { readonly searches?: unknown };
  if (!Array.isArray(searches)) return [];
  return searches
    .filter((search): search is string => typeof search === 'string' && search.trim() !== '')
    .slice(0, MAX_SEARCHES)
    .map((search) => wellFormed(search.slice(0, MAX_SEARCH_LENGTH)));
}
