import { to } from '../../app/address.ts';
import { ApiError } from '../../api/errors.ts';
import { t } from '../../i18n/agent.ts';
import { messageOf } from '../../i18n/errors.ts';
import { nameOfMessageRole } from '../../data/roles.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { Working } from '../../ui/notice.tsx';
import { useEngineName } from '../conversation/engine.ts';
import {
  exchangeOf,
  isRunning,
  phaseOf,
  stepsOf,
  visibleSteps,
  type Errand,
  type Part,
} from './errand.ts';
import { stateOf } from './step.ts';
import { Timeline } from './timeline.tsx';
import { Undecided } from './undecided.tsx';

const Prose = lazily(async () => ({
  default: (await import('../conversation/prose.tsx')).Prose,
}));
const ConfirmCard = lazily(() => import('./confirm-card.tsx'));

interface ErrandProps {
  readonly errand: Errand;
  readonly chatId: string | undefined;
  /** Undefined while another message is worked on. */
  readonly sendAgain: ((errand: Errand) => void) | undefined;
  readonly onDecide: (errand: Errand, decision: 'allow' | 'refuse') => void;
}

/** A message as a heading, what was done as a timeline, and the answer as text. */
export function ErrandView({ errand, chatId, sendAgain, onDecide }: ErrandProps) {
  const { agent } = t();
  const { message, about, parts } = errand;
  const steps = stepsOf(errand);
  return (
    <article class="turn" aria-busy={isRunning(errand)}>
      <h2 dir="auto">{message}</h2>
      {about.length > 0 && (
        <p class="about">
          {agent.given}
          {about.map(({ id, name }) => (
            <bdi key={id} class="tag cut">
              {name}
            </bdi>
          ))}
        </p>
      )}
      {parts.map((part, nth) => (
        <div key={part.id} class="part">
          <Timeline steps={visibleSteps(part, nth === parts.length - 1)} />
          {part.text !== '' && <Prose exchange={exchangeOf(errand, part)} chatId={chatId} />}
        </div>
      ))}
      <Outcome errand={errand} sendAgain={sendAgain} onDecide={onDecide} />
      {steps.some((step) => stateOf(step) === 'refused') && !isRunning(errand) && (
        <p class="soft">{agent.beginsAnew}</p>
      )}
      {!isRunning(errand) && phaseOf(errand) !== 'asking' && (
        <Under errand={errand} count={steps.length} />
      )}
    </article>
  );
}

/** What the run waits for, or how it ended. */
function Outcome({ errand, sendAgain, onDecide }: Omit<ErrandProps, 'chatId'>) {
  const { agent } = t();
  const last = errand.parts.at(-1);
  const hasSteps = stepsOf(errand).length > 0;
  const again = sendAgain && (
    <button type="button" class="act" onClick={() => sendAgain(errand)}>
      {agent.sendAgain}
    </button>
  );
  switch (phaseOf(errand)) {
    case 'working':
      return <Working>{hasSteps ? agent.nextStep : agent.working}</Working>;
    case 'waiting':
      return <Working>{agent.waiting}</Working>;
    case 'asking':
      return last?.confirm ? (
        <ConfirmCard
          again={again}
          confirm={last.confirm}
          onDecide={(decision) => onDecide(errand, decision)}
        />
      ) : (
        <Undecided decideBefore={last?.decideBefore ?? 0}>{again}</Undecided>
      );
    case 'stopped':
      return (
        <p class="state wait">
          <Icon name="pause" />
          {whyStopped(last, hasSteps)}
          {again}
        </p>
      );
    case 'failed':
      return (
        <div class="note bad" role="alert">
          <Icon name="alert" />
          <p class="grow">
            {failureOf(errand)} {hasSteps && agent.doneStays}
          </p>
          <WayOut error={last?.error} />
          {again}
        </div>
      );
    case 'complete':
      return null;
  }
}

const codeOf = (error: unknown): string => (error instanceof ApiError ? error.code : '');

function failureOf({ parts }: Errand): string {
  const { agent } = t();
  const error = parts.at(-1)?.error;
  const code = codeOf(error);
  if (code === 'agent_disabled') return agent.needsModel;
  if (code === 'not_found' && parts.length > 1) return agent.undecided;
  return new Map(Object.entries(agent.failures)).get(code) ?? messageOf(error);
}

/** Where the cause can be mended. */
function WayOut({ error }: { error: unknown }) {
  const { agent } = t();
  const code = codeOf(error);
  if (code === 'agent_disabled')
    return (
      <a class="act" href={to('/settings/connections')}>
        {agent.connect}
      </a>
    );
  if (code !== 'plan_limit') return null;
  return (
    <a class="act" href={to('/settings/usage')}>
      {agent.seeUsage}
    </a>
  );
}

function Under({ errand, count }: { errand: Errand; count: number }) {
  const { agent } = t();
  const last = errand.parts.at(-1);
  const name = useEngineName(last?.engine ?? null);
  const role = last?.role ?? errand.role;
  if (count === 0 && !role) return null;
  return (
    <div class="under">
      {count > 0 && <span>{agent.steps(count)}</span>}
      {role && (
        <span class="role">
          {agent.role} <bdi>{nameOfMessageRole(role)}</bdi>
        </span>
      )}
      {name && <span class="hide-phone">{name}</span>}
    </div>
  );
}

function whyStopped(last: Part | undefined, hasSteps: boolean): string {
  const { agent } = t();
  const cutOff = last?.cutOff;
  if (cutOff === 'length' || cutOff === 'filtered') return agent.cutOff[cutOff];
  return hasSteps || last?.text ? agent.stopped : agent.stoppedEmpty;
}
