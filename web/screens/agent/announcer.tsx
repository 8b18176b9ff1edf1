import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/agent.ts';
import { isRunning, phaseOf, stepsOf, type Errand } from './errand.ts';
import { withoutIsolates } from './named.tsx';
import { wordsOf } from './step-words.ts';

const INTERVAL_MS = 3_000;

/** Reads the steps of a run out, at most one message in three seconds, and then how it ended. */
export function Announcer({ errand }: { errand: Errand | undefined }) {
  const [message, setMessage] = useState('');
  const latest = useRef(errand);
  latest.current = errand;
  const isOn = errand !== undefined && isRunning(errand);
  const id = errand?.id;
  useEffect(() => {
    if (!isOn) return;
    let said = 0;
    const timer = setInterval(() => {
      const steps = latest.current ? stepsOf(latest.current) : [];
      const last = steps.at(-1);
      if (!last || steps.length === said) return;
      said = steps.length;
      setMessage(withoutIsolates(wordsOf(last)));
    }, INTERVAL_MS);
    return () => {
      clearInterval(timer);
      const current = latest.current;
      if (current && current.id === id && !isRunning(current)) setMessage(outcomeOf(current));
    };
  }, [isOn, id]);
  return (
    <p class="vh" role="status" aria-live="polite">
      {message}
    </p>
  );
}

function outcomeOf(errand: Errand): string {
  const { agent } = t();
  const count = agent.steps(stepsOf(errand).length);
  switch (phaseOf(errand)) {
    case 'asking':
      return agent.confirmTitle;
    case 'stopped':
      return agent.stopped;
    case 'complete':
      return `${agent.finished} ${count}`;
    default:
      // A failure is an alert of its own.
      return '';
  }
}
