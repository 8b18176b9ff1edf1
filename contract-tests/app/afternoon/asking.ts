import { expect } from 'chai';
import { capture } from '../app-fixture.ts';
import { askIn } from '../ask-fixture.ts';
import { citedWords, letters, waitForMark } from '../viewer-fixture.ts';
import { goTo, type Person } from './person.ts';

interface Question {
  readonly text: string;
  /** Words of the right answer. */
  readonly answer: string;
  /** Where they stand. */
  readonly file: string;
}

export const QUESTIONS: readonly Question[] = [
  {
    text: 'How can I give notice on the flat?',
    answer: 'third working day',
    file: 'Tenancy agreement Lotsenweg 7.pdf',
  },
  {
    text: 'Was kostet die Betreuung in den Herbstferien?',
    answer: '12 Euro am Tag',
    file: 'Ferientermine 2026-27.txt',
  },
  {
    text: 'Wie hoch ist die Nachzahlung der Betriebskosten 2025?',
    answer: '112,40 Euro',
    file: 'Nebenkostenabrechnung 2025.pdf',
  },
  {
    text: 'How many keys for the flat were handed over?',
    answer: 'three for the flat',
    file: 'Handover record 1 March 2024.docx',
  },
  {
    text: 'When is the lift-out of Tern, and in which hall is the winter berth?',
    answer: '13 November',
    file: 'Winter berth 2026-27, Tamm yard.eml',
  },
];

/** Asks, reads the answer, and opens its first citation, which stands at the marked words. */
export async function askAndOpen({ page }: Person, question: Question): Promise<void> {
  const { text, answer, file } = question;
  if (!page.url().includes('/ask/')) await goTo(page, 'Ask');
  await askIn(page, text);
  const turn = page.locator('article.turn').filter({
    has: page.getByRole('heading', { level: 2, name: text }),
  });
  await turn.locator('.prose', { hasText: answer }).waitFor();
  await turn.getByText(/^Searched \d+ documents/).waitFor();
  await capture(page, `afternoon-answer-${QUESTIONS.indexOf(question) + 1}`);
  await turn.locator('.prose .cite').first().click();
  await page.getByRole('heading', { level: 1, name: file }).waitFor();
  await waitForMark(page);
  expect(letters(await citedWords(page))).to.include(letters(answer));
  await capture(page, `afternoon-citation-${QUESTIONS.indexOf(question) + 1}`);
  await page.getByRole('link', { name: /back to the answer/i }).click();
  await turn.waitFor();
}
