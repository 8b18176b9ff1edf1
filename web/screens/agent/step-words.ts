import { formatMoment, formatNumber } from '../../i18n/format.ts';
import { t } from '../../i18n/agent.ts';
import { isolated } from '../../i18n/isolated.ts';
import type { IconName } from '../../ui/icon.tsx';
import { formatCalendarDay, formatDayOf } from './days.ts';
import { argumentOf, outcomeOf, stateOf, type Step, type StepChange } from './step.ts';

const ICONS = new Map<string, IconName>([
  ['search_objects', 'search'],
  ['read_object', 'library'],
  ['create_note', 'note'],
  ['get_agenda', 'calendar'],
  ['create_event', 'calendar'],
  ['move_object', 'move'],
  ['rename_object', 'edit'],
]);

export const iconOf = ({ tool }: Pick<Step, 'tool'>): IconName => ICONS.get(tool) ?? 'agent';

/** The tool as a verb with its object. */
export const toolName = (tool: string): string =>
  new Map(Object.entries(t().agent.tools)).get(tool) ?? t().agent.otherTool(isolated(tool));

/** What a step did, in the owner's language. Names in it are isolated. */
export function wordsOf(step: Step): string {
  const { agent } = t();
  switch (stateOf(step)) {
    case 'refused':
      return agent.refusedByDocument;
    case 'declined':
      return agent.declined(toolName(step.tool));
    case 'asked':
      return agent.waitsForYou(toolName(step.tool));
    case 'failed':
      return agent.notDone(toolName(step.tool), reasonOf(outcomeOf(step)));
    case 'read':
      return readWords(step);
    default:
      return step.change ? changeWords(step.change) : outcomeOf(step);
  }
}

export function changeWords(change: StepChange): string {
  const { agent } = t();
  switch (change.kind) {
    case 'name':
      return agent.renamed(isolated(change.before), isolated(change.after));
    case 'folder':
      return change.after === null
        ? agent.movedOut(isolated(change.name))
        : agent.moved(isolated(change.name), isolated(change.after));
    case 'note':
      return change.folder === null
        ? agent.wrote(isolated(change.name))
        : agent.wroteIn(isolated(change.name), isolated(change.folder));
    case 'event':
      return agent.made(isolated(change.name), whenOf(change));
  }
}

export const whenOf = (event: Extract<StepChange, { readonly kind: 'event' }>): string =>
  event.all_day ? t().agent.allDay(formatDayOf(event.starts_at)) : formatMoment(event.starts_at);

/** The service describes what was looked at in one line of a known form. Another form is shown as it is. */
function readWords(step: Step): string {
  const { agent } = t();
  const outcome = outcomeOf(step);
  const query = argumentOf(step, 'query');
  if (step.tool === 'search_objects' && query !== undefined) {
    const sought = isolated(query);
    const [, rest] = /^Searched for “.*?”: (.*)$/s.exec(outcome) ?? [];
    if (rest === undefined) return agent.searched(sought);
    if (rest === 'nothing found') return agent.searchedNothing(sought);
    const [, count, names] = /^(\d+) found, (.*)$/s.exec(rest) ?? [];
    return count === undefined || names === undefined
      ? agent.searchedNames(sought, isolated(rest))
      : agent.searchedFound(sought, Number(count), isolated(names));
  }
  if (step.tool === 'read_object') {
    const [, name, from] = /^Read (.*?)(?: from character (\d+))?$/s.exec(outcome) ?? [];
    if (name === undefined) return outcome;
    return from === undefined
      ? agent.read(isolated(name))
      : agent.readFrom(isolated(name), formatNumber(Number(from)));
  }
  const [, from, to, found] =
    /^Looked at the calendar from (\S+) to (\S+): (?:(\d+) found|nothing)$/.exec(outcome) ?? [];
  if (from === undefined || to === undefined) return outcome;
  const window = agent.lookedAtCalendar(formatCalendarDay(from), formatCalendarDay(to));
  return `${window}: ${found === undefined ? agent.noEvents : agent.eventsFound(Number(found))}`;
}

const REASONS = [
  [/There is no tool/, 'notOfRole'],
  [/several times in a row/, 'looping'],
  [/arguments do not fit|arguments are too long|^Not done: invalid_arguments/, 'notValid'],
  [/No more steps/, 'tooMany'],
] as const;

function reasonOf(outcome: string): string {
  const { agent, errors } = t();
  const known = REASONS.find(([pattern]) => pattern.test(outcome));
  if (known) return agent[known[1]];
  const code = /^Not done: ([a-z_]+): /.exec(outcome)?.[1];
  const message = code && new Map(Object.entries(errors.codes)).get(code);
  return message === undefined || message === '' ? agent.couldNot : message;
}
