import type { TermMatch } from '../search/index.ts';

/** The type of answer that a question expects, judged by its words. */
export type AnswerKind = 'person' | 'time' | 'number' | 'place' | 'reason' | 'thing';

/** Length of a question that is considered, in UTF-16 units. */
const LOOKED_AT = 1_000;

const ASKS: readonly (readonly [AnswerKind, RegExp])[] = [
  [
    'time',
    /\bwhen\b|\b(?:what|which)\s+(?:\p{L}+\s+)?(?:year|years|date|day|month|decade|century|period|time)\b|(?<!\p{L})(?:когда|как(?:ой|ого|ом|ие|им)\s+(?:год|век|числ|дат|месяц|врем|дн|день|столети)\p{L}*|в\s+какие\s+годы)|\bwann\b|\bwelche[mnrs]?\s+(?:\p{L}+\s+)?(?:jahr|jahre|jahren|tag|monat|datum|jahrhundert|zeit)\b|\bquand\b|\bquel(?:le)?\s+(?:année|date|jour|mois|siècle)|\bcuándo\b|\bqué\s+(?:año|fecha|día|mes|siglo)|什么时候|何时|哪一?年|哪天|哪个?月|哪个世纪|年份|日期/iu,
  ],
  [
    'number',
    /\bhow\s+(?:many|much|long|old|far|tall|large|big|high|often|deep|heavy|fast|wide)\b|\bwhat\s+(?:\p{L}+\s+){0,3}(?:percent|percentage|number|amount|proportion|size|height|length|score|cost|costs|price|population|total|rent|deposit|salary|wage|fee|budget|balance|duration)\b|(?<!\p{L})(?:сколько|как(?:ой|ая|ое|ова|ово|ую)\s+(?:\p{L}+\s+)?(?:процент|числ|количеств|дол|сумм|высот|длин|площад|населени|счет|счёт|цен|размер)\p{L}*|скольк\p{L}*|насколько|как\s+(?:долго|часто|далеко|много))|\bwie\s*(?:viele?|vielen|lange|hoch|groß|weit|oft|alt|tief|schwer|schnell|breit)\b|\bwelche[rsn]?\s+(?:prozentsatz|anteil|anzahl|zahl|höhe|größe)|\bcombien\b|\bquel(?:le)?\s+est\s+(?:le\s+|la\s+|l['’])(?:montant|prix|salaire|loyer|coût|taux|durée|somme|budget|caution)\b|\bcuánt[oa]s?\b|\bcuál\s+es\s+(?:el|la)\s+(?:precio|importe|salario|coste|costo|alquiler|duración|total|fianza)\b|多少|几|多大|多久|多长|多高|多远|百分之|比例/iu,
  ],
  [
    'person',
    /\bwho(?:m|se)?\b|(?<!\p{L})(?:кто|кого|кому|кем|ком|чей|чья|чье|чьё|чьи)(?!\p{L})|\b(?:wer|wen|wem|wessen)\b|\bqui\b|\bquién(?:es)?\b|谁|何人|哪位/iu,
  ],
  [
    'place',
    /\bwhere\b|\b(?:what|which)\s+(?:\p{L}+\s+)?(?:city|country|state|place|town|location|continent|region|county|island|stadium)\b|(?<!\p{L})(?:где|куда|откуда|как(?:ой|ом|ая|ие|их)\s+(?:город|стран|мест|област|регион|остров|штат|континент)\p{L}*)|\b(?:wo|wohin|woher)\b|\bwelche[mnrs]?\s+(?:\p{L}+\s+)?(?:stadt|land|ort|region|staat|insel|kontinent)\b|(?<!\p{L})où(?!\p{L})|\bquelle?\s+(?:ville|pays|région)|\bdónde\b|\bqué\s+(?:ciudad|país|lugar)|哪里|哪儿|何处|哪个(?:国家|城市|地方|地区)|什么地方/iu,
  ],
  [
    'reason',
    /\bwhy\b|(?<!\p{L})(?:почему|зачем|отчего)(?!\p{L})|\b(?:warum|weshalb|wieso)\b|\bpourquoi\b|\bpor\s+qué(?!\p{L})|为什么|为何/iu,
  ],
];

export function expectedAnswerType(question: string): AnswerKind {
  const beginning = question.slice(0, LOOKED_AT);
  return ASKS.find(([, pattern]) => pattern.test(beginning))?.[0] ?? 'thing';
}

const YEARS_AND_MONTHS =
  /(?<!\p{N})(?:1\d{3}|20\d{2})(?!\p{N})|\b(?:january|february|march|april|june|july|august|september|october|november|december|century|centuries|decade)\b|(?<!\p{L})(?:январ|феврал|март|апрел|мая|июн|июл|август|сентябр|октябр|ноябр|декабр|век|год|столети)\p{L}*|\b(?:januar|februar|märz|mai|juni|juli|oktober|dezember|jahrhunderts?)\b|\b(?:janvier|février|mars|avril|juin|juillet|août|siècle)\b|\b(?:enero|febrero|marzo|abril|junio|julio|agosto|octubre|noviembre|diciembre|siglo)\b|[年月日世纪]/iu;
const NUMERALS =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundreds?|thousands?|millions?|billions?|half|third|quarter|dozen)\b|(?<!\p{L})(?:один|одн|дв[аеу]|тр[ие]|четыр|пят|шест|сем[ьи]|восем|девят|десят|двадцат|тридцат|сорок|сто|тысяч|миллион|миллиард|половин|трет|четверт)\p{L}*|\b(?:eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|millionen|milliarden|hälfte|drittel|viertel)\b|\b(?:deux|trois|quatre|cinq|sept|huit|neuf|dix|cent|mille|moitié)\b|\b(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|mil|mitad)\b|[一二三四五六七八九十百千万亿两半]/iu;
const REASONS =
  /\b(?:because|since|due\s+to|owing|so\s+that|in\s+order\s+to|as\s+a\s+result)\b|(?<!\p{L})(?:потому|так\s+как|из-за|поскольку|благодаря|вследствие|чтобы|поэтому)(?!\p{L})|\b(?:weil|denn|wegen|aufgrund|damit|deshalb|daher|um)\b|\b(?:parce|car|puisque|afin|grâce)\b|\b(?:porque|debido|ya\s+que|para)\b|因为|由于|以便|因此|所以/iu;
/** A number in words may be part of a phrase. */
const IN_WORDS = 0.7;
/** A figure, not a code like E20. */
const FIGURE = /^\p{Nd}/u;
/** The number of a list item. */
const ITEM = /^\p{Nd}{1,3}[.)]\s/u;
/** Confidence that a single capitalised word is a person's name. */
const ONE_NAME = 0.7;
const CAPITAL = /^\p{Lu}/u;
const HAS_CASE = /\p{Lu}|\p{Ll}/u;

/**
 * Confidence, from 0 to 1, that a text contains something of the type which the question does not already name.
 *
 * @param passage the text that the offsets refer to
 * @param starts sentence starts, where a capital letter is no evidence
 */
export function matchesAnswerType(
  kind: AnswerKind,
  passage: string,
  spots: readonly TermMatch[],
  starts: ReadonlySet<number>,
): number {
  const fresh = spots.filter(({ bits }) => !bits);
  const some = (pattern: RegExp) =>
    fresh.some(({ start, end }) => pattern.test(passage.slice(start, end)));
  switch (kind) {
    case 'thing':
      return 0;
    case 'reason':
      return REASONS.test(passage.slice(spots[0]?.start ?? 0, spots.at(-1)?.end ?? 0)) ? 1 : 0;
    case 'time':
      return some(YEARS_AND_MONTHS) ? 1 : 0;
    case 'number':
      return holdsFigure(passage, fresh, starts) ? 1 : some(NUMERALS) ? IN_WORDS : 0;
    case 'person':
    case 'place':
      if (!HAS_CASE.test(passage)) return 1;
      return nameIn(passage, spots, starts, kind === 'person');
  }
}

const holdsFigure = (
  passage: string,
  fresh: readonly TermMatch[],
  starts: ReadonlySet<number>,
): boolean =>
  fresh.some(({ start }) => {
    const written = passage.slice(start, start + 6);
    return FIGURE.test(written) && !(starts.has(start) && ITEM.test(written));
  });

/** Names of people mostly have two words. A single capital may be any term of a contract. */
function nameIn(
  passage: string,
  spots: readonly TermMatch[],
  starts: ReadonlySet<number>,
  full: boolean,
): number {
  const capital = spots.map(
    ({ start, bits }) => !bits && CAPITAL.test(passage.slice(start, start + 2)),
  );
  const inside = spots.map(({ start }, i) => capital[i] === true && !starts.has(start));
  if (full && capital.some((is, i) => is && inside[i + 1])) return 1;
  return inside.some(Boolean) ? (full ? ONE_NAME : 1) : 0;
}
