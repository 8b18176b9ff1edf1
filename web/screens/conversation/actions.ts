import { t } from '../../i18n/ask.ts';
import type { Action } from '../../keys/action.ts';

/** Names of the actions, in the owner's language. */
export interface ActionText {
  readonly stop: string;
  readonly send: string;
  readonly write: string;
  readonly next: string;
  readonly previous: string;
}

/** In a conversation about documents. */
export function askNames(): ActionText {
  const { stop, sendQuestion, write, nextQuestion, previousQuestion } = t().ask;
  return { stop, send: sendQuestion, write, next: nextQuestion, previous: previousQuestion };
}

export interface ConversationControls {
  readonly isRunning: () => boolean;
  readonly stop: () => void;
  readonly send: () => void;
  readonly write: () => void;
  readonly newChat: () => void;
}

/** What the keyboard does in a conversation. */
export const conversationActions = (
  controls: ConversationControls,
  text: () => ActionText,
): readonly Action[] => [
  {
    id: 'stop-answer',
    group: 'answer',
    label: () => text().stop,
    keys: ['Escape'],
    inFields: true,
    isEnabled: () => controls.isRunning() && document.querySelector('dialog[open]') === null,
    run: controls.stop,
  },
  {
    id: 'send-question',
    group: 'answer',
    label: () => text().send,
    keys: ['Ctrl+Enter'],
    inFields: true,
    notInPalette: true,
    isEnabled: () => document.activeElement?.id === 'say',
    run: controls.send,
  },
  {
    id: 'write-question',
    group: 'answer',
    label: () => text().write,
    keys: ['i'],
    run: controls.write,
  },
  {
    id: 'new-chat',
    group: 'answer',
    label: () => t().ask.newChat,
    keys: ['Shift+C'],
    run: controls.newChat,
  },
  move('next-question', () => text().next, 'j', '.turn > h2', 1),
  move('previous-question', () => text().previous, 'k', '.turn > h2', -1),
  move('next-citation', () => t().ask.nextCitation, ']', '.prose .cite', 1),
  move('previous-citation', () => t().ask.previousCitation, '[', '.prose .cite', -1),
];

/** What the keyboard does with a stored conversation. */
export const chatActions = (
  chat: { readonly pinned: boolean },
  pin: () => void,
  open: (dialog: 'rename' | 'delete') => void,
): readonly Action[] => [
  {
    id: 'pin-chat',
    group: 'answer',
    label: () => (chat.pinned ? t().ask.unpin : t().ask.pin),
    run: pin,
  },
  {
    id: 'rename-chat',
    group: 'answer',
    label: () => t().ask.rename,
    keys: ['r'],
    run: () => open('rename'),
  },
  {
    id: 'delete-chat',
    group: 'answer',
    label: () => t().ask.deleteChat,
    keys: ['#', 'Delete'],
    run: () => open('delete'),
  },
];

function move(
  id: string,
  label: () => string,
  key: string,
  selector: string,
  step: 1 | -1,
): Action {
  return {
    id,
    group: 'answer',
    label,
    keys: [key],
    notInPalette: true,
    run: () => focusNext(selector, step),
  };
}

/** Moves the focus to the next element after the one that has it, or has had it. */
function focusNext(selector: string, step: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const { activeElement } = document;
  const place = (element: Element): number =>
    activeElement === element
      ? 0
      : activeElement &&
          activeElement.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
        ? 1
        : -1;
  const next =
    step > 0 ? all.find((each) => place(each) > 0) : all.findLast((each) => place(each) < 0);
  if (!next) return;
  if (!next.matches('a, button')) next.tabIndex = -1;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}
