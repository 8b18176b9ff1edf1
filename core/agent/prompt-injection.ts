import { TOOL_NAMES } from '../../ports/agent-tools.ts';
import { normalizeCase, withoutAccents } from '../text/index.ts';
import { INDIRECT_INJECTION_PATTERNS } from './injection-patterns.ts';

/**
 * Whether a document's text addresses an assistant with instructions: it names a tool, tells the reader to forget
 * earlier instructions, assigns another role, or imitates chat markup of models. In English, German, Russian, French,
 * Spanish and Chinese. Instructions between people, in manuals, contracts and letters, should not match.
 */
export function looksLikePromptInjection(text: string): boolean {
  const bare = bareForm(text);
  const forms = MIXED.test(bare) ? [bare, bare.replace(LOOKALIKE, latin)] : [bare];
  return forms.some((form) =>
    [...ORDERS, ...INDIRECT_INJECTION_PATTERNS].some((order) => order.test(form)),
  );
}

/** In lower case on one line, without accents, Markdown markup and invisible characters. */
const bareForm = (text: string): string =>
  withoutAccents(normalizeCase(text.replace(TAGS, spelledOut).replace(UNSEEN, '')))
    .replaceAll(APART, (letters) => letters.replaceAll(/[ ._-]/g, ''))
    .replaceAll(/[\\*`~]/g, '')
    .replaceAll(/\s+/g, ' ');

/** Unicode tag characters spell a second text, invisible to people but read by a model. */
const TAGS = /[\u{e0020}-\u{e007e}]/gu;
const spelledOut = (tag: string): string =>
  String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000);

const UNSEEN = /\p{Cf}|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

/** Letters of one word with separators, `i g n o r e`. Words have wider gaps. */
const APART = /(?<![\p{L}\p{N}])\p{L}(?:[ ._-]\p{L}(?![\p{L}\p{N}])){3,}/gu;

/** Words that mix Latin letters with look-alikes of other scripts. */
const MIXED = /[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]/;
const ALIKE: Readonly<Record<string, string>> = {
  ...{
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    у: 'y',
    х: 'x',
    і: 'i',
    ѕ: 's',
    ј: 'j',
    к: 'k',
    т: 't',
  },
  ...{
    м: 'm',
    һ: 'h',
    в: 'b',
    α: 'a',
    ε: 'e',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
  },
};
const LATIN: ReadonlyMap<string, string> = new Map(Object.entries(ALIKE));
const LOOKALIKE = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'g');
const latin = (letter: string): string => LATIN.get(letter) ?? letter;

/** Not across the end of a sentence. */
const NEAR = '[^.!?;。！？；]';

/** `verb … noun` with a determiner between or after them, as in "ignore all instructions above". */
const forget = (verbs: string, whose: string, nouns: string, reach = 60): RegExp =>
  new RegExp(
    `(?:${verbs})(?=${NEAR}{0,${reach + 30}}(?:${whose}))${NEAR}{0,${reach}}(?:${nouns})`,
    'u',
  );

/** `you are now … assistant`. */
const become = (words: string, parts: string, reach = 60): RegExp =>
  new RegExp(`(?:${words})${NEAR}{0,${reach}}?(?:${parts})`, 'u');

const toolNames = TOOL_NAMES.map((name) => name.replace('_', '[-_\u2010\u2011]?')).join('|');

const ORDERS: readonly RegExp[] = [
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${toolNames})(?![\\p{L}\\p{N}])`, 'u'),
  // Markup that separates roles for a model, or marks its tool calls.
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>/,
  /\[\/?inst\]|<<\/?sys>>|<\/?(?:tool_calls?|function_calls?|tool_response|tool_use)\b/,

  // English
  forget(
    String.raw`(?<=\byou (?:may|must|shall|should|will|can|are to) )(?:ignore|disregard|forget|override|discard|bypass)|(?<!(?:\b(?:may|shall|will|would|can|could|not|never|cannot|not to|never to)|n.t) )\b(?:ignore|disregard|forget|override|discard|bypass)\b`,
    String.raw`\b(?:all|any|your|previous|prior|above|earlier|preceding|former|existing|system)\b`,
    String.raw`\b(?:instructions?|prompts?|directives?|guidelines|orders|commands|rules)\b`,
  ),
  /\bsystem ?prompts?\b/,
  become(
    String.raw`\byou are (?:now|from now on|henceforth)\b|\bfrom now on,? you (?:are|act)\b|\bpretend (?:to be|(?:that )?you are)\b`,
    String.raw`\b(?:assistants?|ai|a\.i\.|agents?|chatbots?|bots?|language models?|llms?|gpt|dan|jailbroken|unrestricted|(?:developer|admin|debug|god|root|maintenance) mode)\b`,
  ),
  /\bas (?:an?|the|our|this|my) (?:helpful |personal |virtual |digital |ai |a\.i\. )*(?:assistant|ai|a\.i\.|ai agent|chatbot|language model|llm),? you (?:must|have to|are (?:hereby )?(?:ordered|instructed|required|obliged|to\b))/,
  /\bas (?:an?|the|our|this) (?:ai|a\.i\.|ai (?:assistant|agent)|(?:ai )?(?:chatbot|language model|llm)),? you (?:should|will|shall|can|need)\b/,
  /\bif you are an? (?:ai|a\.i\.|ai (?:assistant|agent)|(?:ai )?(?:chatbot|language model|llm))\b/,
  /\b(?:instructions?|orders?|notes?|messages?|attention|important) ?(?:to|for|:|,)? (?:the |any |all |every )?(?:ai(?! act)|a\.i\.|llms?|language models?|chatbots?|ai (?:assistants?|agents?))(?: (?:assistants?|agents?|models?|reading|processing|that|who))/,
  /\b(?:assistant|ai|ai agent|agent|chatbot|language model|llm)s? (?:reading|processing|summari[sz]ing) (?:this|the)\b/,

  // German
  forget(
    String.raw`(?<!\b(?:nicht|darf|kann|wird) )\b(?:ignorier(?:e|en sie|t)?|missachte(?:n sie)?|vergiss|vergessen sie|verwirf|verwerfen sie|ubergehe)\b(?! nicht)`,
    String.raw`\b(?:alle|samtliche|jegliche|deine|ihre|vorherige\w*|vorige\w*|bisherige\w*|obige\w*|fruhere\w*|vorangegangene\w*|vorstehende\w*)\b`,
    String.raw`\b(?:anweisung(?:en)?|instruktion(?:en)?|vorgaben?|befehle?|systembefehle?|prompts?|systemanweisung(?:en)?)\b`,
  ),
  /\bsystem-?(?:prompts?|anweisung(?:en)?)\b/,
  become(
    String.raw`\b(?:du bist|sie sind) (?:jetzt|nun|ab (?:jetzt|sofort)|von nun an)\b|\b(?:ab (?:jetzt|sofort)|von nun an) (?:bist du|sind sie)\b`,
    String.raw`\b(?:(?:ki-?)?assistent(?:in)?|ki|chatbot|bot|sprachmodell|agent|entwicklermodus|administratormodus|uneingeschrankt)\b`,
  ),
  /\bals (?:der |die |das |ein |eine )?(?:hilfreiche\w* |digitale\w* |ki-?)*(?:assistent(?:in)?|sprachmodell|ki|chatbot) (?:musst|sollst|hast|mussen|sollen|haben)\b/,

  // Russian
  forget(
    String.raw`(?<![а-я])(?<!не )(?:про)?(?:игнорируй(?:те)?|игнорировать)|(?<![а-я])(?<!не )(?:забудь(?:те)?|отбрось(?:те)?|отмени(?:те)?)(?![а-я])|не обращай(?:те)? внимания на`,
    String.raw`(?<![а-я])(?:все|всех|любые|свои|твои|ваши|предыдущ|прежн|прошл|вышеуказанн|вышеизложенн|системн|ранее|данные тебе)`,
    String.raw`(?<![а-я])(?:инструкци|указани|команд|промпт|распоряжени|установк)`,
  ),
  /системн(?:ый|ого|ому|ым|ом|ые|ых) промпт|системн(?:ая|ой|ую) (?:подсказк|инструкци)/,
  become(
    String.raw`(?<![а-я])(?:ты теперь|теперь ты|вы теперь|теперь вы|отныне (?:ты|вы)|с этого момента (?:ты|вы))(?![а-я])`,
    String.raw`(?<![а-я])(?:ассистент|помощник|ии(?![а-я])|нейросет|языковая модель|чат-?бот|бот(?![а-я])|агент|режим[еа]? (?:разработчик|администратор))`,
  ),
  /(?<![а-я])как (?:ии-?)?(?:ассистент|помощник|ии|нейросеть|языковая модель),? (?:ты|вы) (?:должн|должен|обязан)/,

  // French
  forget(
    String.raw`(?<!\b(?:n.|ne |pas ))\b(?:ignore[rz]?|oublie[rz]?|neglige[rz]?|outrepasse[rz]?)\b|\bne (?:tiens|tenez) (?:pas|aucun) compte\b`,
    String.raw`\b(?:toutes|tous|tes|vos|precedente?s?|anterieure?s?|ci-dessus|systeme)\b`,
    String.raw`\b(?:instructions?|consignes?|directives?|ordres?|prompts?)\b`,
  ),
  /\b(?:prompt|invite) (?:du )?systeme\b/,
  become(
    String.raw`\b(?:tu es|vous etes) (?:maintenant|desormais)\b|\b(?:desormais|a partir de maintenant),? (?:tu es|vous etes)\b`,
    String.raw`\b(?:assistante?|ia|modele de langage|chatbot|robot conversationnel|agent ia|mode (?:developpeur|administrateur))\b`,
  ),
  /\ben tant qu.(?:un |une )?(?:assistant|ia|modele de langage|agent ia)(?: \w+)?,? (?:tu dois|vous devez)\b/,

  // Spanish
  forget(
    String.raw`(?<!\bno )\b(?:ignora|ignore|ignorad|olvida|olvide|olvidad|descarta|descarte|desestima|desestime)\b|\bha(?:z|ga|gan) caso omiso\b|\bno (?:hagas|haga) caso\b`,
    String.raw`\b(?:todas?|todos|tus|sus|anteriores|previas?|previos|arriba|sistema)\b`,
    String.raw`\b(?:instrucciones|instruccion|indicaciones|ordenes|directrices|directivas|comandos|prompts?)\b`,
  ),
  /\bprompt (?:del|de) sistema\b|\binstrucciones del sistema\b/,
  become(
    String.raw`\b(?:ahora eres|eres ahora|a partir de ahora,? eres|ahora usted es|usted es ahora|a partir de ahora,? usted es)\b`,
    String.raw`\b(?:asistente|ia|modelo de lenguaje|chatbot|bot|agente|modo (?:desarrollador|administrador))\b`,
  ),
  /\bcomo (?:un |una |el |la )?(?:asistente|ia|modelo de lenguaje|chatbot)(?: \w+)?,? (?:debes|tienes que|usted debe|debera)\b/,

  // Chinese, simplified and traditional
  forget(
    '(?<!不要|不得|不可|勿|请勿)(?:忽略|忽视|无视|忘记|忘掉|抛开|忽視|無視|忘記)|不要(?:理会|理會|遵守|执行)|无需理会',
    '之前|以前|先前|此前|上述|以上|上面|前面|所有|全部|一切|任何|你的|您的|系统|系統|原有',
    '指令|指示|命令|提示词|提示詞|规则|規則|设定|設定|指令集',
    20,
  ),
  /系统提示词|系統提示詞|系统指令|系統指令/,
  become(
    '你现在是|您现在是|你現在是|从现在(?:开始|起),?你(?:是|将是)|從現在(?:開始|起),?你是|你将扮演|你將扮演',
    '助手|助理|人工智能|人工智慧|ai|语言模型|語言模型|机器人|機器人|开发者模式|開發者模式|管理员模式',
    20,
  ),
  /作为(?:一个|一名)?(?:ai|人工智能|智能|虚拟)*(?:助手|助理|语言模型|模型),?你(?:必须|应该|应当|需要|要)/,
];
