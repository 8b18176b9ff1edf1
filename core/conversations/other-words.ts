import type { LanguageModel } from '../../ports/language-model.ts';
import { cutTo, saidBy, tokensIn, type ModelEngine } from '../models/index.ts';
import { wellFormed } from '../text/index.ts';

const RULES = [
  'Somebody searched their own documents with a question and found nothing. Documents are found by the words in them.',
  'Write what else to search for: other words for the same, the words such a document would use itself, the question in',
  'other languages the documents may be in.',
  'Answer with one JSON object and nothing else: {"searches": ["…", "…"]}, three at most.',
].join(' ');

/** Share of the context window for the rules and the question. */
const ASKED_PART = 0.5;
const MOST_SEARCHES = 3;
const LONGEST_SEARCH = 300;

/** Alternative searches for a question; empty if the model returns none. */
export async function otherWords(
  models: LanguageModel,
  { endpoint, contextTokens }: ModelEngine,
  question: string,
  totalMs: number,
  left: Promise<void>,
): Promise<readonly string[]> {
  const messages = [
    { role: 'system', content: RULES },
    { role: 'user', content: cutTo(question, contextTokens * ASKED_PART - tokensIn(RULES)) },
  ] as const;
  // Not every service supports JSON mode. A reply that is not JSON yields no search.
  return searchesIn(await saidBy(models, { endpoint, messages, totalMs }, left));
}

/** Other types of values are ignored. */
function searchesIn(text: string): readonly string[] {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  let said: unknown;
  try {
    said = JSON.parse(json);
  } catch {
    return [];
  }
  const { searches } = (said ?? {}) as { readonly searches?: unknown };
  if (!Array.isArray(searches)) return [];
  return searches
    .filter((search): search is string => typeof search === 'string' && search.trim() !== '')
    .slice(0, MOST_SEARCHES)
    .map((search) => wellFormed(search.slice(0, LONGEST_SEARCH)));
}
