/** The plural categories of each language (Unicode CLDR) for whole numbers. */
interface Categories {
  readonly en: 'one' | 'other';
  readonly de: 'one' | 'other';
  readonly fr: 'one' | 'many' | 'other';
  readonly es: 'one' | 'many' | 'other';
  readonly ru: 'one' | 'few' | 'many' | 'other';
  readonly zh: 'other';
}

export type Language = keyof Categories;

/** A form for each category of the language: one that is missing does not compile. */
export type PluralForms<L extends Language> = Readonly<Record<Categories[L], string>>;

/** Makes the function that chooses a form by a number and puts the formatted number in place of `#`. */
export function pluralOf<L extends Language>(language: L) {
  const rules = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (count: number, forms: PluralForms<L>): string => {
    const all: Readonly<Record<string, string>> = forms;
    return (all[rules.select(count)] ?? all['other'] ?? '').replace('#', number.format(count));
  };
}
