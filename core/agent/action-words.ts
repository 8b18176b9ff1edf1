import { lazily, normalizeCase, withoutAccents } from '../text/index.ts';

/*
 * Words that mark an owner's sentence as an order of a kind. They can only make a confirmation unnecessary: a
 * sentence without one of them, in any language, needs a confirmation. So the lists need not be complete.
 */

export type Action = 'rename' | 'move' | 'note' | 'event';

/** Beginnings of words; those of scripts without spaces are found anywhere. */
const STEMS: Readonly<Record<Action, string>> = {
  rename: `renam benenn umbenenn umzubenenn renomm renombr renomea renomeie rinomin hernoem przemianuj zmień/nazw
    zmien/nazw přejmenuj переимен переназов назови перейменуй yeniden/adland adını/değiştir ismini/değiştir byt/namn
    omdøb gi/nytt/navn ganti/nama ubah/nama đổi/tên 名前を変 名前変更 改名 リネーム 重命名 更名 이름을/바꾸 이름을/변경 أعد/تسمية
    إعادة/تسمية سمّ नाम/बदल
    change/name change/filename set/name set/filename give/name änder/namen änder/dateinamen gib/namen nenn/um/ измени/им
    измени/назв смени/им смени/назв поменя/им поменя/назв дай/имя zmienić/nazw zmienic/nazw 重新命名 名称改 文件名改 名字改 名稱改 檔名改`,
  move: `move moving verschieb schieb déplac deplac mets/ mueve mover mova mover/ sposta spostare verplaats przenieś przenies
    přesuň перемест перенес перелож перемісти taşı flytta flyt flytt pindah di/chuyển 移動 移して 移动 移到 放到 放进 放入 이동
    옮겨 옮기 انقل स्थानांतरित ले/जा put/ store/ lege/ ablegen ordne/ полож помест`,
  note: `note noti save remember jot write writ create make/ add schreib erstell anleg notier merk écri ecri crée cree ajout crea escrib
    anota apunt agreg añad anot escrev cria adicion scriv aggiung annota noteer schrijf maak zanotuj napisz utwórz dodaj
    zapisz stwórz запиш напиш созда добав замет створи додай yaz oluştur ekle not/al skriv メモ ノート 書い 作成 記録 写
    記 记 创建 創建 添加 新建 메모 작성 추가 اكتب أنشئ أضف دوّن लिख बना जोड़ नोट`,
  event: `create add make/ schedul plan book enter put/ erstell trag eintrag anleg plane crée cree ajout planifi crea añad
    agreg program agenda cria adicion marca aggiung pianific fissa maak voeg zaplanuj utwórz dodaj stwórz созда добав
    заплан внес створи додай oluştur ekle planla skapa lägg 作成 追加 登録 予定 创建 創建 添加 安排 新建 추가 등록 أنشئ أضف
    बना जोड़`,
};

/** Words that negate an order. */
const NEGATIONS = `not don't dont doesn't never no without nor neither cannot can't won't shouldn't avoid nicht kein keine
  keinen keiner keinem nie niemals ohne ne n' pas jamais sans aucun non mai senza nunca jamás sin tampoco não nem sem
  niet geen nooit zonder nie bez żaden nigdy ne nikdy не нет ни никогда без ні ніколи değil asla hayır inte aldrig
  utan ikke aldri aldrig uden ei älä jangan tidak đừng không ない しない ません するな 不 别 別 勿 没 沒 無 未 마 않 안 لا لم لن ليس بدون नहीं मत न`;

const SPACELESS = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}';
const isSpaceless = new RegExp(`[${SPACELESS}]`, 'u');

/** Normal form for comparison with the words; preserves the length of each part. */
const bare = (text: string): string => withoutAccents(normalizeCase(text)).replaceAll(/[’ʼ]/g, "'");

const wordsOf = (list: string): readonly string[] =>
  list.split(/\s+/).filter((word) => word !== '');
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const BEFORE_WORD = String.raw`(?<![\p{L}\p{N}\p{M}])`;
const AFTER_WORD = String.raw`(?![\p{L}\p{N}\p{M}])`;

/** `a/b`: words with at most a few words between them. */
const partsOf = (stem: string): string =>
  stem
    .split('/')
    .filter((part) => part !== '')
    .map((part) => escaped(bare(part)))
    .join(String.raw`[\p{L}\p{M}]*(?:\s+\S+){0,4}?\s+`);

const alternatives = (patterns: readonly string[]): string => `(?:${patterns.join('|')})`;

/**
 * Any of the stems, at the beginning of a word. A trailing slash requires the end of a word. The conditions are stated
 * once for all stems: a class of letters in each alternative takes a thousand times the memory and the time.
 */
function anyOf(stems: readonly string[]): string {
  const patterns = (isWhole: boolean, isSpaced: boolean) => {
    const some = stems.filter(
      (stem) => stem.endsWith('/') === isWhole && isSpaceless.test(stem) !== isSpaced,
    );
    if (some.length === 0) return [];
    const before = isSpaced ? BEFORE_WORD : '';
    return [`${before}${alternatives(some.map(partsOf))}${isWhole ? AFTER_WORD : ''}`];
  };
  return [
    ...patterns(false, true),
    ...patterns(true, true),
    ...patterns(false, false),
    ...patterns(true, false),
  ].join('|');
}

const orders = (action: Action) => lazily(() => new RegExp(anyOf(wordsOf(STEMS[action])), 'u'));
const PATTERNS: Readonly<Record<Action, () => RegExp>> = {
  rename: orders('rename'),
  move: orders('move'),
  note: orders('note'),
  event: orders('event'),
};

const negation = lazily(() => {
  const words = wordsOf(NEGATIONS);
  const spaced = words.filter((word) => !isSpaceless.test(word));
  const some = (are: readonly string[]) => alternatives(are.map((word) => escaped(bare(word))));
  const elided = spaced.filter((word) => word.endsWith("'"));
  const whole = spaced.filter((word) => !word.endsWith("'"));
  const begun = `${BEFORE_WORD}(?:${some(elided)}|${some(whole)}${AFTER_WORD})`;
  return new RegExp(`${begun}|${some(words.filter((word) => isSpaceless.test(word)))}`, 'u');
});

/** First words of a sentence that asks or reports. An order begins differently. */
const REPORT_BEGINNINGS = `tell explain describe when what which who whose why how does did is are was were has have had erkläre
  erklär sag sage wann was welche welcher welches wer wie warum wieso weshalb скажи объясни расскажи когда что какой какая
  какое какие кто почему зачем как dis explique quand quel quelle qui pourquoi comment di explica cuándo qué cuál quién por/qué
  cómo 什么 什麼 为什么 為什麼 为何 怎么 怎麼 哪 谁 誰`;
/** Words that mark a question or a report anywhere in the sentence. */
const REPORTS = `whether says/to said/to asks/to asked/to tells/to told/to wants/to ob 是否`;
/** The same in a question, in which opening words can come later: "can you tell me why". */
const REPORTS_IN_QUESTION = `${REPORTS} ${REPORT_BEGINNINGS} say check find/out sagen erklären prüfen nachsehen herausfinden sprawdzić`;

/** Any of the words, each as a whole word. */
const wholeWords = (list: string): string =>
  anyOf(wordsOf(list).map((word) => (isSpaceless.test(word) ? word : `${word}/`)));

const report = lazily(
  () =>
    new RegExp(String.raw`^\s*(?:${wholeWords(REPORT_BEGINNINGS)})|${wholeWords(REPORTS)}`, 'u'),
);
const reportInQuestion = lazily(() => new RegExp(wholeWords(REPORTS_IN_QUESTION), 'u'));

const COURTESY = String.raw`(?:(?:hi|hello|hey|please|bitte|hallo|пожалуйста|привет|czy|请问|请)[\s,]*)*`;
/** Openings of a question that is a polite order. */
const POLITE_BEGINNINGS: readonly string[] = [
  String.raw`(?:can|could|would|will) you(?![\p{L}\p{N}])`,
  String.raw`(?:kannst|konntest|wurdest) du|(?:konnen|konnten|wurden) sie`,
  String.raw`(?:можешь|можете)(?![\p{L}\p{N}])`,
  String.raw`(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous`,
  String.raw`(?:puedes?|podrias?|puoi|potresti|mozesz|moglbys|moglabys)(?![\p{L}\p{N}])`,
  String.raw`能不能|能否|可不可以|你?可以|你能`,
];
const polite = lazily(
  () => new RegExp(String.raw`^[\s¿¡]*${COURTESY}(?:${POLITE_BEGINNINGS.join('|')})`, 'u'),
);

/** A negation that is part of a question and negates nothing. */
const AFFIRMATIVE = /能不能|可不可以/;

/** Whether a question is a polite order. */
export function isPoliteRequest(question: string): boolean {
  const text = bare(question);
  return polite().test(text) && !reportInQuestion().test(text);
}

/**
 * Whether a sentence may be an order for this action: it has a word of the action, no negation, and reports nothing.
 */
export function mayOrder(action: Action, sentence: string): boolean {
  const text = bare(sentence).replace(AFFIRMATIVE, '');
  return PATTERNS[action]().test(text) && !negation().test(text) && !report().test(text);
}
