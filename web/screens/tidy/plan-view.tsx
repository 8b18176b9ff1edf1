import { useMemo, useState } from 'preact/hooks';
import { folderOf } from '../../data/folders.ts';
import { t } from '../../i18n/tidy.ts';
import { drawingOf } from '../../ui/drawing-of.ts';
import { Icon } from '../../ui/icon.tsx';
import { PageDrawing } from '../../ui/page-drawing.tsx';
import { typeName } from '../library/facts.ts';
import type { Group, Plan, PlannedMove } from './plan.ts';

/** Of one plan. */
const MAX_EXCEPTIONS = 500;

export interface PlanViewProps {
  readonly plan: Plan;
  readonly onApply: (except: readonly string[], rename: ReadonlyMap<string, string>) => void;
  readonly onDiscard: () => void;
}

/** What would move where. Everything is ticked; what is unticked stays. */
export function PlanView({ plan, onApply, onDiscard }: PlanViewProps) {
  const { tidy } = t();
  const [except, setExcept] = useState<ReadonlySet<string>>(new Set());
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const moves = useMemo(() => plan.groups.flatMap((group) => group.moves), [plan]);
  const ticked = moves.length - except.size;
  const fresh = plan.groups.filter(({ target }) => !target.exists).length;
  const isTooMany = except.size > MAX_EXCEPTIONS;
  const tick = (id: string, isTicked: boolean) => {
    const changed = new Set(except);
    if (isTicked) changed.delete(id);
    else changed.add(id);
    setExcept(changed);
  };
  return (
    <>
      <p class="plan-line num">
        {tidy.lookedAt(plan.total)} <b>{tidy.wouldMove(moves.length)}</b>{' '}
        {tidy.into(plan.groups.length, fresh)}{' '}
        {plan.total > moves.length && tidy.stay(plan.total - moves.length)}
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label={tidy.plan}>
        <div class="plan">
          {plan.groups.map((group) => (
            <PlanGroup
              key={group.target.id}
              group={group}
              name={names.get(group.target.id) ?? group.target.name}
              except={except}
              onTick={tick}
              onName={(name) => setNames(new Map(names).set(group.target.id, name))}
            />
          ))}
        </div>
      </div>
      <div class="panel-foot">
        <span class="soft grow num" role="status">
          {isTooMany ? tidy.tooMany : tidy.ticked(ticked, moves.length)}
        </span>
        <button type="button" class="button" onClick={onDiscard}>
          {tidy.discard}
        </button>
        <button
          type="button"
          class="button strong"
          disabled={ticked === 0 || isTooMany}
          onClick={() => onApply([...except], givenNames(names))}
        >
          {tidy.move(ticked)}
        </button>
      </div>
    </>
  );
}

const givenNames = (names: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...names].filter(([, name]) => name.trim() !== ''));

interface GroupProps {
  readonly group: Group;
  readonly name: string;
  readonly except: ReadonlySet<string>;
  readonly onTick: (id: string, isTicked: boolean) => void;
  readonly onName: (name: string) => void;
}

function PlanGroup({ group, name, except, onTick, onName }: GroupProps) {
  const { tidy } = t();
  const [isEditing, setEditing] = useState(false);
  const { target, moves } = group;
  const title = target.theme === null ? name : `${target.theme} / ${name}`;
  const coming = moves.filter(({ item }) => !except.has(item.id)).length;
  const before = target.exists ? (folderOf(target.id)?.object_count ?? 0) : 0;
  return (
    <section class="grp" aria-label={title}>
      <h2>
        <Icon name="folder" />
        {isEditing ? (
          <input
            class="input"
            maxLength={120}
            dir="auto"
            autofocus
            aria-label={tidy.folderName}
            value={name}
            onInput={({ currentTarget }) => onName(currentTarget.value)}
            onBlur={() => setEditing(false)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') setEditing(false);
            }}
          />
        ) : (
          <bdi class="cut">{title}</bdi>
        )}
        {!target.exists && (
          <>
            <span class="tag new">{tidy.newFolder}</span>
            <button
              type="button"
              class="tool small"
              aria-label={tidy.renameFolder(name)}
              onClick={() => setEditing(true)}
            >
              <Icon name="edit" small />
            </button>
          </>
        )}
        <span class="soft num">
          {before > 0 ? tidy.after(before, before + coming) : tidy.documents(coming)}
        </span>
      </h2>
      <ul>
        {moves.map((move) => (
          <MoveLine
            key={move.item.id}
            move={move}
            folder={name}
            isTicked={!except.has(move.item.id)}
            onTick={(isTicked) => onTick(move.item.id, isTicked)}
          />
        ))}
      </ul>
    </section>
  );
}

function MoveLine({
  move: { item, from },
  folder,
  isTicked,
  onTick,
}: {
  move: PlannedMove;
  folder: string;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
}) {
  const { tidy } = t();
  return (
    <li class={`mv${isTicked ? '' : ' off'}`}>
      <input
        type="checkbox"
        checked={isTicked}
        aria-label={tidy.moveInto(item.display_name, folder)}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
      />
      <PageDrawing name={drawingOf(item)} />
      <span class="grow">
        <b class="cut">
          <bdi>{item.display_name}</bdi>
        </b>
        <span class="soft cut">{item.summary || typeName(item)}</span>
      </span>
      {isTicked ? (
        <span class="fromto">
          <del class="cut">
            <bdi>{folderOf(from)?.name ?? tidy.noFolder}</bdi>
          </del>
          <Icon name="right" small flip />
          <ins class="cut">
            <bdi>{folder}</bdi>
          </ins>
        </span>
      ) : (
        <span class="soft">{tidy.stays}</span>
      )}
    </li>
  );
}
