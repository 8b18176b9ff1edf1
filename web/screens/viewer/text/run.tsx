import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { t } from '../../../i18n/viewer.ts';
import { piecesOf, type Mark, type Piece } from './marks.ts';
import type { TextRange } from './range.ts';

export interface MarkedText {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** Opens another citation of the same answer. */
  readonly onCitation?: (index: number) => void;
}

export const MarkedTextContext = createContext<MarkedText>({ text: '', marks: [] });

/** A stretch of the text, with what is marked in it. */
export function Run({ start, end }: TextRange) {
  const { text, marks, onCitation } = useContext(MarkedTextContext);
  return (
    <>
      {piecesOf({ start, end }, marks).map((piece) => (
        <Marked key={piece.start} piece={piece} words={text.slice(piece.start, piece.end)}>
          {piece.ends.map((index) => (
            <button
              key={index}
              type="button"
              class="cite"
              aria-label={t().viewer.source(index)}
              onClick={() => onCitation?.(index)}
            >
              {index}
            </button>
          ))}
        </Marked>
      ))}
    </>
  );
}

function Marked({
  piece: { kinds },
  words,
  children,
}: {
  piece: Piece;
  words: string;
  children: preact.ComponentChildren;
}) {
  if (kinds.has('cited'))
    return (
      <>
        <mark class="cited-words" tabIndex={-1}>
          {words}
        </mark>
        {children}
      </>
    );
  if (kinds.has('found') || kinds.has('current'))
    return (
      <>
        <mark class={kinds.has('current') ? 'hit current' : 'hit'}>{words}</mark>
        {children}
      </>
    );
  const classes = [kinds.has('also') && 'also', kinds.has('passage') && 'in-passage'].filter(
    Boolean,
  );
  if (classes.length === 0) return <>{words}</>;
  return (
    <>
      <span class={classes.join(' ')}>{words}</span>
      {children}
    </>
  );
}
