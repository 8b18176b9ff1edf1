/**
 * Function words by language: any text of a few dozen letters contains some, and they identify the language of a
 * short text better than its letters. For the languages with a stemmer.
 */
const LISTS = {
  en: `the of and to in is was for on that with as it by at from are were be this which or an not have has had their
    its his her they but been who what when where how why did does do can will would about into than there these all
    our we you your my if no any shall many much new please`,
  de: `der die das und in den von zu mit des im für auf ist dem ein eine nicht sich auch als an werden aus wurde hat
    bei nach einer um am sind wie einem einen über so zum war haben oder nur zur durch bis aber vor was wer wann wo
    warum welche welcher welches wird unter kann wir ich sie er es ihr ihre seine kein keine viele jeder hatte waren
    bitte noch mein unser`,
  fr: `le la les de des du et en un une est dans que qui pour par sur au aux avec plus ne pas ce cette ces son sa ses
    il elle ils nous vous je ont sont être a été ou où mais comme tout toute leur leurs quel quelle l d qu n s c à
    droit sans entre`,
  es: `el la los las de del y en que un una es por con para se no al lo su sus como más o fue este esta son ha entre
    cuando muy sin sobre también me hasta hay donde quien desde todo toda nos ni qué cuál cómo cuándo dónde tiene mi
    derecho`,
  it: `il lo la i gli le di del della dei delle dello e è in un una che per con da dal dalla si non al alla nel nella
    sono come più ha anche ma o su sul questo questa ed ad essere l ogni suo sua loro dell all nell cui quale dove`,
  pt: `o a os as de do da dos das e em no na nos nas um uma que para por com se não ao à pelo pela mais como foi ser
    são tem seu sua ou quando muito já também só entre sem até isso este esta é todo toda qual onde quem`,
  nl: `de het een en van in is dat op te met voor zijn die niet aan er om ook als bij of maar dan door naar heeft hij
    uit tot worden wordt werd deze dit over wat waar wie wij ik je hun haar geen nog kan onder tegen ieder zonder`,
} as const;

export type FunctionLanguage = keyof typeof LISTS;

const LANGUAGES = new Map<string, FunctionLanguage[]>();
for (const [language, list] of Object.entries(LISTS))
  for (const word of new Set(list.split(/\s+/)))
    LANGUAGES.set(word, [...(LANGUAGES.get(word) ?? []), language as FunctionLanguage]);

export const isAnalysed = (language: string): language is FunctionLanguage =>
  Object.hasOwn(LISTS, language);

/**
 * For each language the share of the words that are its function words; words shared by several languages weigh less.
 */
export function functionWordShares(text: string): ReadonlyMap<FunctionLanguage, number> {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const shares = new Map<FunctionLanguage, number>();
  for (const word of words) {
    const languages = LANGUAGES.get(word) ?? [];
    for (const language of languages)
      shares.set(language, (shares.get(language) ?? 0) + 1 / languages.length / words.length);
  }
  return shares;
}
