import { questionLanguages, tokensOf, type QuestionLanguage } from '../text/index.ts';

const NO_ANSWER: Readonly<Record<QuestionLanguage, string>> = {
  en: 'I have done what the steps show, and came to no answer.',
  ru: 'Сделанное видно по шагам, но к ответу я не пришёл.',
  de: 'Was ich getan habe, zeigen die Schritte; zu einer Antwort bin ich nicht gekommen.',
  fr: 'Les étapes montrent ce que j’ai fait ; je ne suis pas arrivé à une réponse.',
  es: 'Los pasos muestran lo que he hecho; no he llegado a una respuesta.',
  zh: '所做的事情见各个步骤,但我没有得出答案。',
};

/** Length of a message used for language detection, in UTF-16 units. */
const LOOKED_AT = 1_000;

/** The answer if the model ends without one, in the language of the message. */
export function noAnswer(message: string): string {
  const words = tokensOf(message.slice(0, LOOKED_AT)).map(({ plain }) => plain);
  return NO_ANSWER[questionLanguages(words)[0] ?? 'en'];
}
