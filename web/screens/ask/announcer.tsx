import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/ask.ts';
import { withoutMarkers } from '../conversation/answer-text.ts';
import type { Exchange } from '../conversation/exchange.ts';
import { isRunning } from '../conversation/exchange.ts';

const INTERVAL_MS = 3_000;
const SENTENCE_END = /[.!?。！？](?=\s|$|[“”»"])/g;

/** Reads a running answer out in whole sentences, at most one message in three seconds, and then its outcome. */
export function Announcer({ exchange }: { exchange: Exchange | undefined }) {
  const [message, setMessage] = useState('');
  const latest = useRef(exchange);
  latest.current = exchange;
  const running = exchange !== undefined && isRunning(exchange);
  const id = exchange?.id;
  useEffect(() => {
    if (!running) return;
    let said = 0;
    const timer = setInterval(() => {
      const text = withoutMarkers(latest.current?.text ?? '');
      const ends = [...text.slice(said).matchAll(SENTENCE_END)];
      const end = ends.at(-1);
      if (!end) return;
      setMessage(text.slice(said, said + end.index + 1));
      said += end.index + 1;
    }, INTERVAL_MS);
    return () => {
      clearInterval(timer);
      if (latest.current?.id === id) setMessage(outcomeOf(latest.current));
    };
  }, [running, id]);
  return (
    <p class="vh" role="status" aria-live="polite">
      {message}
    </p>
  );
}

function outcomeOf(exchange: Exchange | undefined): string {
  if (!exchange || isRunning(exchange)) return '';
  const { ask } = t();
  if (exchange.phase === 'failed') return ask.failedAnswer;
  if (exchange.phase === 'stopped') return ask.stoppedAnswer;
  const { coverage, citations } = exchange;
  const searched = coverage ? [ask.searched(coverage.searched)] : [];
  const unread = coverage && coverage.unread > 0 ? [ask.unread(coverage.unread)] : [];
  return [ask.complete, ask.sourcesShort(citations.length), ...searched, ...unread].join(', ');
}
