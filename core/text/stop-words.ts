import { withoutAccents } from './fold.ts';

/** Languages of questions and answers that the service detects. */
export const QUESTION_LANGUAGES = ['en', 'ru', 'de', 'fr', 'es', 'zh'] as const;
export type QuestionLanguage = (typeof QUESTION_LANGUAGES)[number];

const words = (list: string): ReadonlySet<string> =>
  new Set(list.trim().split(/\s+/).map(withoutAccents));

/** Function and question words, which do not identify what is searched. Removed from queries only. */
const STOP_WORDS: Readonly<Record<Exclude<QuestionLanguage, 'zh'>, ReadonlySet<string>>> = {
  en: words(`a about above after again against all also am an and any are arent as at be because been before being
    below between both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each
    for from further get had has hasnt have havent having he her here hers him his how i if in into is isnt it
    its itself just many me more most much my no nor not of off on once only or other our ours out over own
    please same shall she should so some such tell than that the their theirs them then there these they this
    those through to too under until up us very was wasnt we were werent what whats when where which while who
    whom whose why will with would you your yours`),
  de: words(`aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da dabei damit
    dann das dass dein deine dem den denn der des dessen deren die dies diese diesem diesen dieser dieses doch
    dort du durch ein eine einem einen einer eines er es etwas euch euer fur gegen gibt hab habe haben hat hatte
    hatten hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes
    kann kein keine konnen konnte konnten man mehr mein meine mich mir mit muss mussen nach nicht noch nun nur ob
    oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so soll sollte uber um und uns unser unter
    viel viele vielen vom von vor wann war waren warum was weil welche welchem welchen welcher welches wem wen
    wenn wer werden wessen wie wieso wieviel wieviele will wir wird wo wobei wodurch wofur woher wohin womit
    worauf woraus worin woruber wozu wurde wurden zu zum zur zwischen`),
  fr: words(`a ai ainsi alors apres as au aucun aussi autre aux avait avant avec avez avoir avons c ca car ce cela
    celle celles celui ces cet cette ceux chaque chez combien comme comment d dans de des deux donc dont du elle
    elles en encore entre es est estce et etaient etait ete etes etre eu eux fait il ils j je l la le les leur
    leurs lors lui m ma mais me meme mes moi mon n ne ni nos notre nous on ont ou par parce pas pendant peut plus
    pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera ses si son sont sous
    sur t ta te tes toi ton tous tout toute toutes tres tu un une vers vos votre vous y`),
  es: words(`a al algo alguna algunas alguno algunos ante antes aquel aquella aquello asi aun aunque cada como con
    contra cual cuales cuando cuanta cuantas cuanto cuantos cuyo cuya de del desde despues donde dos durante e el
    ella ellas ello ellos en entre era eran es esa esas ese eso esos esta estaba estado estan estar estas este
    esto estos fue fueron ha habia han hasta hay haya la las le les lo los mas me mi mis mientras muy nada ni no
    nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pues que quien quienes se
    sea segun ser si sido sin sobre sois son su sus tal tambien tanto te tiene tienen toda todas todo todos tu
    tus un una unas uno unos usted ustedes y ya yo`),
  ru: words(`а без бы был была были было быть в вам вас весь во вот все всего всей всех всю вся вы где да даже для до
    его ее ей ему если есть еще же за здесь и из или им ими их к как какая какие каким какими каких какого какое
    какой каком какому какую когда кого кому который которая которое которые которого которой которых которым
    котором кто куда ли либо между меня мне многие можно может могут мой мы на над нам нас наш не него нее ней
    некоторые нет ни них но ну о об один одна однако около он она они оно от откуда очень перед по под после
    потому почему при про с сам сама сами свое своего своей свои своих свой свою себе себя сколько со так такая
    такие такое такой также там те тем то тобой того тоже той только том тот тут ты у уже чего чей чем через что
    чтобы чье чья эта эти этим этих это этого этой этом этот эту я является являются`),
};

/** Words that only name the kind of the answer, or request it. In a search query they may be meant. */
const ASKING_WORDS: Readonly<Record<Exclude<QuestionLanguage, 'zh'>, ReadonlySet<string>>> = {
  en: words(
    `called kind kinds long must name named need needed needs number old often sort type types`,
  ),
  de: words(`anzahl art brauche brauchen braucht genannt heissen heisst hoch lange lautet muss mussen name namens
    nennt oft zahl`),
  fr: words(`appelle appellent besoin doit doivent faut genre nom nombre nomme sorte type types`),
  es: words(
    `clase debe deben llama llaman llamar necesita necesitan necesito nombre numero tipo tipos`,
  ),
  ru: words(`вид вида видов дата дату даты должен должна должно должны зовут имя имени каков какова каково каковы надо
    называется называются назывался называлась нужен нужна нужно нужны тип типа число числа числе`),
};

/** Longest first, so that 为什么 does not leave 为. */
const CHINESE =
  /为什么|什么时候|什么地方|是不是|有没有|多少|多久|多大|什么|怎么样|怎么|怎样|如何|为何|哪里|哪儿|哪个|哪些|哪一|哪|谁|几|是否|请问|告诉我|吗|呢|吧|的|了|着|是|被|把/g;

/** Replaces function and question words of a Chinese text by spaces. */
export const withoutChineseStopWords = (text: string): string => text.replace(CHINESE, ' ');

const CYRILLIC = /\p{Script=Cyrillic}/u;
const HAN = /\p{Script=Han}/u;

/**
 * The languages of a question, by its script and by its most frequent function words: one, or several with equal
 * counts.
 */
export function questionLanguages(plainWords: readonly string[]): readonly QuestionLanguage[] {
  const bare = plainWords.map(withoutAccents);
  const text = bare.join('');
  if (HAN.test(text)) return ['zh'];
  if (CYRILLIC.test(text)) return ['ru'];
  const latin = (['en', 'de', 'fr', 'es'] as const).map((language) => ({
    language,
    hits: bare.filter((word) => STOP_WORDS[language].has(word)).length,
  }));
  const most = Math.max(...latin.map(({ hits }) => hits));
  return latin.filter(({ hits }) => hits === most).map(({ language }) => language);
}

export const isQuestionWord = (plain: string, languages: readonly QuestionLanguage[]): boolean =>
  isAmong(ASKING_WORDS, plain, languages);

export const isStopWord = (plain: string, languages: readonly QuestionLanguage[]): boolean =>
  isAmong(STOP_WORDS, plain, languages);

function isAmong(
  lists: typeof STOP_WORDS,
  plain: string,
  languages: readonly QuestionLanguage[],
): boolean {
  const bare = withoutAccents(plain);
  return languages.some((language) => language !== 'zh' && lists[language].has(bare));
}
