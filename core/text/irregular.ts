import { withoutAccents } from './fold.ts';

/** Common words with irregular forms that no stemmer unifies: `form base`, in pairs. */
const PAIRS = {
  en: `children child men man women woman mice mouse knives knife wives wife feet foot teeth tooth geese goose
    wolves wolf shelves shelf halves half crises crisis analyses analysis theses thesis wrote write written write
    bought buy paid pay sold sell went go gone go ran run began begin begun begin came come took take taken take
    gave give given give sent send spent spend held hold met meet built build kept keep lost lose spoke speak
    spoken speak chose choose chosen choose drove drive driven drive ate eat eaten eat told tell brought bring
    taught teach thought think caught catch broke break broken break stole steal stolen steal flew fly grew grow`,
  de: `ging gehen gegangen gehen schrieb schreiben geschrieben schreiben zahlte zahlen bezahlt bezahlen gekauft kaufen
    verkauft verkaufen gemietet mieten gezahlt zahlen kam kommen gekommen kommen gab geben gegeben geben nahm nehmen
    genommen nehmen fuhr fahren gefahren fahren unterschrieb unterschreiben arzte arzt`,
  fr: `chevaux cheval travaux travail journaux journal yeux oeil eu avoir payé payer écrit écrire vendu vendre
    reçu recevoir bail baux mieux bien`,
  es: `fui ir fue ir hizo hacer hecho hacer escrito escribir pagué pagar dio dar vino venir puso poner puesto poner
    dijo decir dicho decir tuvo tener peces pez veces vez voces voz luces luz`,
  ru: `люди человек людей человек людям человек людьми человек дети ребенок детей ребенок детям ребенок шел идти шла
    идти шли идти пошел пойти пошла пойти пошли пойти друзья друг друзей друг сыновья сын братья брат деньги деньга
    денег деньга`,
} as const;

const bases = new Map<string, ReadonlyMap<string, string>>(
  Object.entries(PAIRS).map(([language, pairs]) => {
    const words = pairs.trim().split(/\s+/).map(withoutAccents);
    return [
      language,
      new Map(words.flatMap((word, i) => (i % 2 ? [] : [[word, words[i + 1] ?? word] as const]))),
    ];
  }),
);

/** The base of an irregular form (without accents), if known. */
export const irregularBase = (bare: string, language: string): string | undefined =>
  bases.get(language)?.get(bare);

const irregular = new Set([...bases.values()].flatMap((forms) => [...forms.keys()]));

/** All of them, without accents. */
export const irregularForms = (): Iterable<string> => irregular;

/** Whether it is an irregular form (without accents) in any of the languages. */
export const isIrregular = (bare: string): boolean => irregular.has(bare);
