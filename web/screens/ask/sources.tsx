import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/ask.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { addressOf, nameOf, openCitation } from '../conversation/citation-link.ts';
import type { Citation, Exchange } from '../conversation/exchange.ts';
import { lit, litKey } from '../conversation/lit.ts';
import { passageKey, usePassages, type Passage } from './passages.ts';

interface SourcesProps {
  readonly exchange: Exchange;
  readonly chatId: string | undefined;
}

/** `4 in 2 documents`. */
export const sourceCount = ({ citations }: Exchange): string =>
  t().ask.sourcesIn(citations.length, documentCount(citations));

export const documentCount = (citations: readonly Citation[]): number =>
  new Set(citations.map(({ object_id }) => object_id)).size;

/** The sources of an answer beside it. */
export const SourcesPanel = (props: SourcesProps) => (
  <aside class="panel" aria-label={t().ask.sources}>
    <div class="panel-bar">
      <h2 class="grow">{t().ask.sources}</h2>
      <span class="soft">{sourceCount(props.exchange)}</span>
    </div>
    <div class="scroll" tabIndex={0} role="region" aria-label={t().ask.sourcesOf}>
      <SourceList {...props} />
    </div>
  </aside>
);

/** The same over the answer, in windows that have no room beside it. */
export const SourcesDialog = ({ onClose, ...props }: SourcesProps & { onClose: () => void }) => (
  <Dialog
    title={t().ask.sources}
    wide
    onClose={onClose}
    onSubmit={onClose}
    foot={
      <button type="submit" class="button">
        {t().shell.close}
      </button>
    }
  >
    <SourceList {...props} />
  </Dialog>
);

function SourceList({ exchange, chatId }: SourcesProps) {
  const passages = usePassages(exchange.citations);
  return (
    <ol class="panel-in source-list">
      {exchange.citations.map((citation) => (
        <Source
          key={citation.index}
          citation={citation}
          passage={passages.get(passageKey(citation))}
          exchange={exchange}
          chatId={chatId}
        />
      ))}
    </ol>
  );
}

interface SourceProps extends SourcesProps {
  readonly citation: Citation;
  readonly passage: Passage | undefined;
}

/** The passage is light, the cited words in it are dark. */
function Source({ citation, passage, exchange, chatId }: SourceProps) {
  const ref = useRef<HTMLLIElement>(null);
  const isLit = lit.value === litKey(exchange.id, citation.index);
  useEffect(() => {
    if (isLit) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isLit]);
  const page = citation.page ?? passage?.page;
  return (
    <li ref={ref} class={`card source${isLit ? ' here' : ''}`} aria-current={isLit || undefined}>
      <p class="of">
        <span class="cite" aria-hidden="true">
          {citation.index}
        </span>
        <bdi class="cut grow">{nameOf(citation)}</bdi>
      </p>
      <blockquote class="passage" dir="auto">
        {passage?.before}
        <mark>{citation.snippet}</mark>
        {passage?.after}
      </blockquote>
      <p class="foot">
        <span class="num">{page && t().ask.page(page)}</span>
        <a
          class="act"
          href={addressOf(citation)}
          aria-label={t().ask.openSource(citation.index)}
          onClick={openCitation(citation, exchange, chatId)}
        >
          {t().ask.openAtPlace}
        </a>
      </p>
    </li>
  );
}
