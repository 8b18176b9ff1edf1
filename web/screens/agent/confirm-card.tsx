import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { folderOf } from '../../data/folders.ts';
import { formatTime } from '../../i18n/format.ts';
import { t } from '../../i18n/agent.ts';
import { isolated } from '../../i18n/isolated.ts';
import { Icon } from '../../ui/icon.tsx';
import { useId } from '../../ui/use-id.ts';
import { formatWritten } from './days.ts';
import type { Confirm } from './errand.ts';
import { Named } from './named.tsx';
import { Undecided } from './undecided.tsx';
import { iconOf, toolName } from './step-words.ts';
import { argumentOf } from './step.ts';

interface ConfirmProps {
  /** The way to send the message again. */
  readonly again: ComponentChildren;
  readonly confirm: Confirm;
  readonly onDecide: (decision: 'allow' | 'refuse') => void;
}

/** A change that the agent makes only if the owner allows it. */
export default function ConfirmCard({ confirm, again, onDecide }: ConfirmProps) {
  const { agent } = t();
  const id = useId();
  const isOver = useIsOver(confirm.endsAt);
  if (isOver) return <Undecided decideBefore={confirm.endsAt}>{again}</Undecided>;
  return (
    <section class="note warn confirm" aria-labelledby={id}>
      <Icon name={iconOf(confirm)} />
      <div class="grow">
        <h3 id={id}>{agent.confirmTitle}</h3>
        <p>
          <Action confirm={confirm} />
        </p>
        <Given confirm={confirm} />
        <p class="soft">
          {agent.confirmWhy} {agent.until(formatTime(new Date(confirm.endsAt).toISOString()))}{' '}
          <Remaining endsAt={confirm.endsAt} />
        </p>
        <div class="buttons">
          <button type="button" class="button strong" onClick={() => onDecide('allow')}>
            {agent.allow}
          </button>
          <button type="button" class="button" onClick={() => onDecide('refuse')}>
            {agent.refuse}
          </button>
        </div>
      </div>
    </section>
  );
}

const MINUTE_MS = 60_000;

/** In whole minutes, so that nothing flickers; the last one counts as one. */
function Remaining({ endsAt }: { endsAt: number }) {
  const minutesTo = () => Math.max(1, Math.ceil((endsAt - Date.now()) / MINUTE_MS));
  const minutes = useSignal(minutesTo());
  useEffect(() => {
    const update = () => void (minutes.value = minutesTo());
    update();
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  }, [endsAt, minutes]);
  return <span class="remaining">{t().agent.minutesLeft(minutes.value)}</span>;
}

function useIsOver(endsAt: number): boolean {
  const isOver = useSignal(endsAt <= Date.now());
  useEffect(() => {
    isOver.value = endsAt <= Date.now();
    const timer = setTimeout(() => (isOver.value = true), Math.max(0, endsAt - Date.now()));
    return () => clearTimeout(timer);
  }, [endsAt, isOver]);
  return isOver.value;
}

/** What it would do, with the names that the service gave in place of ids. */
function Action({ confirm }: { confirm: Confirm }) {
  const { agent } = t();
  const name = isolated(confirm.objectName ?? agent.aDocument);
  const title = isolated(argumentOf(confirm, 'title') ?? '');
  switch (confirm.tool) {
    case 'rename_object':
      return (
        <Named
          strong
          text={agent.confirmRename(name, isolated(argumentOf(confirm, 'filename') ?? ''))}
        />
      );
    case 'move_object': {
      const folderId = argumentOf(confirm, 'collection_id');
      if (folderId === undefined) return <Named strong text={agent.confirmMoveOut(name)} />;
      return (
        <Named
          strong
          text={agent.confirmMove(name, isolated(confirm.folderName ?? folderName(folderId)))}
        />
      );
    }
    case 'create_note':
      return argumentOf(confirm, 'title') === undefined ? (
        <b>{agent.confirmUntitled}</b>
      ) : (
        <Named strong text={agent.confirmNote(title)} />
      );
    case 'create_event':
      return <Named strong text={agent.confirmEvent(title)} />;
    default:
      return <b>{toolName(confirm.tool)}</b>;
  }
}

const folderName = (id: string): string => folderOf(id)?.name ?? t().agent.aFolder;

/** In the sentence above already. */
const NAMED_ABOVE: ReadonlySet<string> = new Set(['object_id', 'filename', 'title']);

/** All other arguments, with exactly what would be stored. */
function Given({ confirm }: { confirm: Confirm }) {
  const { arguments: given, tool } = confirm;
  const isMove = tool === 'move_object';
  const entries = Object.entries((given ?? {}) as Readonly<Record<string, unknown>>).filter(
    ([name, value]) =>
      !NAMED_ABOVE.has(name) &&
      !(isMove && name === 'collection_id') &&
      value !== null &&
      value !== '' &&
      !(Array.isArray(value) && value.length === 0),
  );
  if (entries.length === 0) return null;
  return (
    <dl class="given">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{labelOf(name)}</dt>
          <dd dir="auto">
            {name === 'content' ? (
              // A long text scrolls by keys as well.
              <div class="long" tabIndex={0} role="group" aria-label={labelOf(name)}>
                {valueOf(confirm, name, value)}
              </div>
            ) : (
              valueOf(confirm, name, value)
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const labelOf = (name: string): string => {
  const known = name === 'collection_id' ? 'folder' : name;
  return new Map(Object.entries(t().agent.givenArguments)).get(known) ?? name;
};

function valueOf(confirm: Confirm, name: string, value: unknown): string {
  const { agent } = t();
  if (typeof value === 'boolean') return value ? agent.yes : agent.no;
  if (typeof value !== 'string') return JSON.stringify(value);
  if (name === 'collection_id') return confirm.folderName ?? folderName(value);
  if (name === 'starts_at' || name === 'ends_at') return formatWritten(value);
  return value;
}
