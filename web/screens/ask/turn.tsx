import { useSignal } from '@preact/signals';
import { ApiError } from '../../api/errors.ts';
import { messageOf } from '../../i18n/errors.ts';
import { t } from '../../i18n/ask.ts';
import { Icon } from '../../ui/icon.tsx';
import { Working } from '../../ui/notice.tsx';
import { copyAnswer } from './clipboard.ts';
import { useEngineName } from '../conversation/engine.ts';
import { isRunning, type Exchange } from '../conversation/exchange.ts';
import { NextSteps } from './next-steps.tsx';
import { Prose } from '../conversation/prose.tsx';
import { SourcesDialog, documentCount } from './sources.tsx';
import type { TurnProps } from './turn-props.ts';
import { UnreadDialog } from './unread.tsx';

/** A question as a heading, and its answer as text. */
export function Turn(props: TurnProps) {
  const { exchange, chatId, askAgain } = props;
  const { question, about, phase, text, citations } = exchange;
  const hasSources = useSignal(false);
  const running = isRunning(exchange);
  return (
    <article class="turn" aria-busy={running}>
      <h2 dir="auto">{question}</h2>
      {about.length > 0 && (
        <p class="about">
          {t().ask.aboutThese}
          {about.map(({ id, name }) => (
            <bdi key={id} class="tag cut">
              {name}
            </bdi>
          ))}
        </p>
      )}
      {text !== '' && <Prose exchange={exchange} chatId={chatId} />}
      {phase === 'searching' && <Working>{t().ask.searching}</Working>}
      {phase === 'waiting' && <Working>{t().ask.waiting}</Working>}
      {phase === 'stopped' && (
        <p class="state wait">
          <Icon name="pause" />
          {whyStopped(exchange)}
          {askAgain && <AskAgain exchange={exchange} askAgain={askAgain} />}
        </p>
      )}
      {phase === 'failed' && <FailedAnswer exchange={exchange} askAgain={askAgain} />}
      {phase === 'complete' && citations.length === 0 && <NextSteps {...props} />}
      {!running && citations.length > 0 && (
        <button type="button" class="sources-line" onClick={() => (hasSources.value = true)}>
          <Icon name="pages" />
          <span>
            <b>{t().ask.sourcesShort(citations.length)}</b>{' '}
            <span class="soft">{t().ask.inDocuments(documentCount(citations))}</span>
          </span>
          <Icon name="right" flip />
        </button>
      )}
      {!running && text !== '' && <Under {...props} />}
      {hasSources.value && (
        <SourcesDialog
          exchange={exchange}
          chatId={chatId}
          onClose={() => (hasSources.value = false)}
        />
      )}
    </article>
  );
}

/** What was searched, who answered, and what can be done with the answer. */
function Under({ exchange, folderId, askAgain }: TurnProps) {
  const { coverage, engine, about } = exchange;
  const hasUnread = useSignal(false);
  const engineName = useEngineName(engine);
  return (
    <div class="under">
      {coverage && (
        <span>
          {t().ask.searched(coverage.searched)}
          {coverage.unread > 0 && (
            <>
              {', '}
              <button type="button" class="act" onClick={() => (hasUnread.value = true)}>
                {t().ask.unread(coverage.unread)}
              </button>
            </>
          )}
        </span>
      )}
      {engineName && <span class="hide-phone">{engineName}</span>}
      <span class="end">
        <button
          type="button"
          class="tool small"
          aria-label={t().ask.copy}
          title={t().ask.copy}
          onClick={() => void copyAnswer(exchange)}
        >
          <Icon name="copy" small />
        </button>
        {askAgain && (
          <button
            type="button"
            class="tool small"
            aria-label={t().ask.askAgain}
            title={t().ask.askAgain}
            onClick={() => askAgain(exchange)}
          >
            <Icon name="retry" small />
          </button>
        )}
      </span>
      {hasUnread.value && (
        <UnreadDialog
          count={coverage?.unread ?? 0}
          folderId={folderId}
          isLimited={about.length > 0}
          onClose={() => (hasUnread.value = false)}
        />
      )}
    </div>
  );
}

type AgainProps = Pick<TurnProps, 'exchange'> & {
  readonly askAgain: NonNullable<TurnProps['askAgain']>;
};

const AskAgain = ({ exchange, askAgain }: AgainProps) => (
  <button type="button" class="act" onClick={() => askAgain(exchange)}>
    {t().ask.askAgain}
  </button>
);

/** Codes of failures that the built-in engine does not have. */
const OF_THE_MODEL = new Set(['deadline', 'upstream_failed', 'plan_limit']);

/** The question stays; what came of the answer stays above this. */
function FailedAnswer({ exchange, askAgain }: Pick<TurnProps, 'exchange' | 'askAgain'>) {
  const { error } = exchange;
  const code = error instanceof ApiError ? error.code : '';
  const message = new Map(Object.entries(t().ask.failures)).get(code) ?? messageOf(error);
  return (
    <div class="note bad" role="alert">
      <Icon name="alert" />
      <p class="grow">{message}</p>
      {askAgain && <AskAgain exchange={exchange} askAgain={askAgain} />}
      {askAgain && OF_THE_MODEL.has(code) && (
        <button type="button" class="act" onClick={() => askAgain(exchange, 'extractive')}>
          {t().ask.withoutModel}
        </button>
      )}
    </div>
  );
}

function whyStopped({ text, cutOff }: Exchange): string {
  const { ask } = t();
  if (cutOff === 'length' || cutOff === 'filtered') return ask.cutOff[cutOff];
  return text === '' ? ask.stoppedEmpty : ask.stopped;
}
