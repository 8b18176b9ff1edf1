import type { Language } from '../../i18n/plural.ts';

/** Questions about what stands in a document, in the language of the document. */
export interface QuestionForms {
  readonly howMuch: (label: string) => string;
  readonly when: (label: string) => string;
  readonly amount: (amount: string) => string;
  readonly date: (date: string) => string;
  readonly person: (name: string) => string;
  readonly about: (name: string) => string;
}

/**
 * The built-in engine looks for the words of a question, so the forms add function words and question words only: a
 * verb that is not in the document would count as missing.
 */
export const QUESTION_FORMS: Readonly<Record<Language, QuestionForms>> = {
  en: {
    howMuch: (label) => `${label}: how much?`,
    when: (label) => `${label}: when?`,
    amount: (amount) => `What is ${amount} for?`,
    date: (date) => `What is on ${date}?`,
    person: (name) => `Who is ${name}?`,
    about: (name) => `What is there about ${name}?`,
  },
  de: {
    howMuch: (label) => `${label}: wie viel?`,
    when: (label) => `${label}: wann?`,
    amount: (amount) => `Wofür sind ${amount}?`,
    date: (date) => `Was ist am ${date}?`,
    person: (name) => `Wer ist ${name}?`,
    about: (name) => `Was ist mit ${name}?`,
  },
  fr: {
    howMuch: (label) => `${label} : combien ?`,
    when: (label) => `${label} : quand ?`,
    amount: (amount) => `Pour quoi sont les ${amount} ?`,
    date: (date) => `Qu’y a-t-il le ${date} ?`,
    person: (name) => `Qui est ${name} ?`,
    about: (name) => `Qu’en est-il de ${name} ?`,
  },
  es: {
    howMuch: (label) => `${label}: ¿cuánto?`,
    when: (label) => `${label}: ¿cuándo?`,
    amount: (amount) => `¿Para qué son ${amount}?`,
    date: (date) => `¿Qué hay el ${date}?`,
    person: (name) => `¿Quién es ${name}?`,
    about: (name) => `¿Qué hay sobre ${name}?`,
  },
  ru: {
    howMuch: (label) => `${label}: сколько?`,
    when: (label) => `${label}: когда?`,
    amount: (amount) => `За что ${amount}?`,
    date: (date) => `Что это: ${date}?`,
    person: (name) => `Кто это: ${name}?`,
    about: (name) => `Что здесь есть о «${name}»?`,
  },
  zh: {
    howMuch: (label) => `${label}是多少？`,
    when: (label) => `${label}是什么时候？`,
    amount: (amount) => `${amount}是什么？`,
    date: (date) => `${date}是什么？`,
    person: (name) => `${name}是谁？`,
    about: (name) => `关于${name}有什么？`,
  },
};
