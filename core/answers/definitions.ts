import type { TextRange } from '../text/index.ts';

/** Length of a question that is considered, in UTF-16 units. */
const LOOKED_AT = 1_000;

const ASKS_WHAT =
  /^\s*(?:(?:what|who|how\s+(?:much|long|old|high|large|big))(?:\s+is|\s+are|\s+was|\s+were|['’]s)(?!\p{L})|(?:was|wer|wie\s+(?:hoch|lange?|groß|lautet))(?:\s+(?:ist|sind|war|bedeutet))?(?!\p{L})|(?:что\s+(?:такое|значит|означает)|кто\s+(?:такой|такая)|как(?:ой|ая|ое|ова|ово)|сколько\s+составляет)(?!\p{L})|qu['’]est[- ]ce\s+qu|c['’]est\s+quoi|qui\s+est|quel(?:le)?s?\s+(?:est|sont)|¿?\s*(?:qué|quién|cuál)(?:es)?\s+(?:es|son|significa|era|fue)(?!\p{L})|什么是|谁是|.{1,40}是(?:什么|谁|多少))/iu;
const IS =
  /^[\s*_"'”’»)]{0,4}(?:(?:\([^)]{0,60}\)|,[^,]{0,60},)\s*)?(?:(?:is|are|was|were|means|stands\s+for|refers\s+to|ist|sind|war|bedeutet|beträgt|lautet|это|означает|является|составля\p{L}+|est|sont|signifie|es|son|fue|significa)(?!\p{L})|(?:of|von|de|в\s+(?:размере|сумме))\s+[^\p{L}\s]{0,3}\p{Nd}|[–—:=]|-\s|是|为|指)/iu;
/** A name given to the preceding term: Jane Smith ("the tenant"). */
const NAMED = /\S\s*[(（]["'“„«]?\s*(?:(?:the|der|die|das|le|la|el)\s+)?$/iu;
const CONDITION =
  /^[\s*•–-]*(?:if|unless|when|wenn|falls|sofern|если|когда|si|quand|cuando|如果)(?!\p{L})/iu;

/** Asks what or who something is, or how much. */
export const isDefinitionQuestion = (question: string): boolean =>
  ASKS_WHAT.test(question.slice(0, LOOKED_AT));

/** Defines the term in the range: X is …, X – …, X: …, … ("the X"). */
export const isDefinition = (sentence: string, { start, end }: TextRange): boolean =>
  end > start &&
  !CONDITION.test(sentence.slice(0, 20)) &&
  (IS.test(sentence.slice(end, end + 160)) ||
    NAMED.test(sentence.slice(Math.max(0, start - 20), start)));

const BACK =
  /^[\s"'“„«*-]*(?:(?:he|she|it|they|his|her|its|their|this|these|that|those|because|therefore|so)|(?:он|она|оно|они|его|её|ее|их|это|этот|эта|эти|потому|поэтому)|(?:er|sie|es|sein|seine|ihr|ihre|dies|diese|dieser|dieses|deshalb|daher)|(?:il|elle|ils|elles|son|sa|ses|cela|ce|cette)|(?:él|ella|ellos|ellas|su|sus|esto|este|esta))(?!\p{L})|^(?:他|她|它|这|因此|所以|因为)/iu;

/** Begins with a word that refers to the previous sentence (anaphora). */
export const startsWithAnaphora = (sentence: string): boolean => BACK.test(sentence.slice(0, 40));
