import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { language } from '../../i18n/language.ts';
import { t } from '../../i18n/ask.ts';
import { blocksOf, type Block, type Piece } from './answer-text.ts';
import { addressOf, labelOf, openCitation } from './citation-link.ts';
import { EXTRACTIVE, isRunning, type Exchange } from './exchange.ts';
import { lit, litKey } from './lit.ts';

interface ProseProps {
  readonly exchange: Exchange;
  readonly chatId: string | undefined;
}

/** The answer as text, with a chip at each citation. */
export function Prose({ exchange, chatId }: ProseProps) {
  const { text, citations, engine } = exchange;
  const isWriting = isRunning(exchange);
  const blocks = useMemo(
    () =>
      blocksOf(text, citations, {
        isWriting,
        marksUnsourced:
          !isWriting && engine !== null && engine !== EXTRACTIVE && citations.length > 0,
        language: language.value,
      }),
    [text, citations, isWriting, engine],
  );
  return (
    <div class="prose" dir="auto">
      {grouped(blocks).map((group, nth) =>
        group[0]?.isItem ? (
          <ul key={nth} class="points">
            {group.map((block, at) => (
              <li key={at}>
                <Pieces block={block} exchange={exchange} chatId={chatId} />
              </li>
            ))}
          </ul>
        ) : (
          group.map((block, at) => (
            <p key={`${nth}.${at}`}>
              <Pieces block={block} exchange={exchange} chatId={chatId} />
            </p>
          ))
        ),
      )}
    </div>
  );
}

/** Items of a list that follow each other stand in one list. */
function grouped(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (last && block.isItem && last[0]?.isItem) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

const Pieces = ({ block, ...of }: ProseProps & { block: Block }) => (
  <>
    {block.pieces.map((piece, nth) => (
      <PieceOf key={nth} piece={piece} {...of} />
    ))}
  </>
);

function PieceOf({ piece, exchange, chatId }: ProseProps & { piece: Piece }) {
  if (piece.kind === 'chip') {
    const { citation } = piece;
    const key = litKey(exchange.id, citation.index);
    const light = () => void (lit.value = key);
    return (
      <a
        class={`cite${isRunning(exchange) ? ' coming' : ''}`}
        href={addressOf(citation)}
        aria-label={labelOf(citation)}
        aria-current={lit.value === key ? 'true' : undefined}
        onMouseEnter={light}
        onFocus={light}
        onClick={openCitation(citation, exchange, chatId)}
      >
        {citation.index}
      </a>
    );
  }
  if (!piece.isUnsourced) return <Fragment>{piece.text}</Fragment>;
  return (
    <>
      <span class="unsourced">{piece.text}</span>
      <span class="said">{t().ask.noSource}</span>
    </>
  );
}
