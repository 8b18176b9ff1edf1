import type { FileFacts } from './file-type.ts';

/** Length considered, in UTF-16 units: the title is at the beginning. */
const LOOKED_AT = 3_000;
const LONGEST = 120;
const LINES = 15;

/** Default titles set by programs, and file names used as titles. */
const PROGRAM =
  /^(?:untitled|document\d*|dokument\d*|документ\s?\d*|без имени|новый документ|presentation\d*|презентация\d*|слайд 1|slide 1|scan\w*|microsoft word - .*|layout \d+|print|report\d*|title|\d+)$|\.(?:docx?|pdf|indd|rtf|odt|xlsx?|pptx?|txt|tmp|html?)$/iu;
/** Lines of a letterhead, a form or a page margin, none of which is a title. */
const NO_TITLE =
  /^[^\p{L}]*$|@|https?:|www\.|(?:^|\s)(?:tel|phone|fax|тел|факс|инн|огрн|кпп|р\/с|iban|bic|vat reg)[.:\s№]|^(?:page|стр|seite)[.\s]*\d|_{4,}|\.{6,}|^(?:dear|уважаем|sehr geehrt|madame|hi|hello|здравствуйте|привет)|^(?:утверждаю|согласовано)|^(?:г\.|city)\s/iu;
const LABELLED = /^[^:]{2,40}[:：]\s?\S/;
const SUBJECT = /^(?:subject|re|тема|betreff|objet|asunto|主题)\s?[:：.]\s?(?<subject>\S.{2,})$/iu;
const HEADING = /^\s*#{1,6}\s+/;

/** The external title, if it is meaningful. */
export function isPlausibleTitle(title: string, { filename }: Pick<FileFacts, 'filename'>): string {
  const plain = oneLine(title);
  return plain.length < 3 || PROGRAM.test(plain) || plain === filename
    ? ''
    : truncate(plain, LONGEST);
}

/** The title given in the text, '' if there is none. */
export function titleOf(text: string): string {
  const lines = text
    .slice(0, LOOKED_AT)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, LINES);
  const marked = lines.find((line) => HEADING.test(line) && !/^\s*#+\s*$/.test(line));
  if (marked !== undefined) return truncate(oneLine(marked.replace(HEADING, '')), LONGEST);
  const subject = lines.map((line) => SUBJECT.exec(line)?.groups?.['subject']).find(Boolean);
  if (subject !== undefined) return truncate(oneLine(subject), LONGEST);
  const fit = lines.filter((line) => !NO_TITLE.test(line) && !LABELLED.test(line));
  const short = fit.filter((line) => line.length <= LONGEST && /\p{L}{3}/u.test(line));
  // A first line in capitals is the title; a letterhead rarely is in capitals.
  const capitals = short
    .slice(0, 6)
    .find(
      (line) => line === line.toUpperCase() && line !== line.toLowerCase() && letters(line) > 5,
    );
  const [first = ''] = short;
  const chosen = capitals !== undefined && !isSentence(first) ? capitals : first;
  return truncate(withoutMarks(oneLine(chosen)), LONGEST);
}

/** A generated title by which people can recognise the text in a list. */
export function truncate(text: string, most: number): string {
  const points = [...text];
  if (points.length <= most) return text;
  const stored = points.slice(0, most - 1).join('');
  const space = stored.lastIndexOf(' ');
  return `${(space > most / 2 ? stored.slice(0, space) : stored).replace(/[\s,;:.–-]+$/u, '')}…`;
}

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const letters = (line: string): number => line.match(/\p{L}/gu)?.length ?? 0;
const isSentence = (line: string): boolean => /[.!?…]$/.test(line) && line.length > 40;
const withoutMarks = (line: string): string =>
  line.replace(/^[\s*_>•–-]+|[\s*_:;,]+$/gu, '').replace(/(?<=[^.])\.$/, '');
