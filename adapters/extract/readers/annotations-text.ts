export interface Comment {
  readonly author: string;
  /** What the comment refers to, as in `B2`; '' if its place is that of the page. */
  readonly at?: string;
  readonly text: string;
}

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** Comments as a list with a heading, so that they are not mistaken for the text of the document. */
export function commentText(comments: readonly Comment[]): string {
  const lines = comments.flatMap(({ author, at = '', text }) => {
    const shown = oneLine(text);
    const who = [at, oneLine(author)].filter((part) => part !== '').join(', ');
    return shown === '' ? [] : [who === '' ? `- ${shown}` : `- ${who}: ${shown}`];
  });
  return lines.length === 0 ? '' : ['Comments:', ...lines].join('\n');
}

export const formText = (fields: readonly string[]): string =>
  fields.length === 0 ? '' : ['Form fields:', ...fields.map((it) => `- ${oneLine(it)}`)].join('\n');
