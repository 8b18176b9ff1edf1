import { t } from '../i18n/viewer.ts';
import { agentNames, decisionActions } from '../screens/agent/use-agent-actions.ts';
import { calendarActions } from '../screens/calendar/calendar-actions.ts';
import { askNames, chatActions, conversationActions } from '../screens/conversation/actions.ts';
import { listActions } from '../screens/library/list-actions.ts';
import { notificationActions } from '../screens/notifications/notification-actions.ts';
import { shareActions } from '../screens/shares/share-actions.ts';
import { pictureActions } from '../screens/viewer/picture/picture-actions.ts';
import { viewerActions } from '../screens/viewer/viewer-actions.ts';
import { withOwnKey, type Action } from './action.ts';

export interface ScreenActions {
  /** Its name, in the owner's language. */
  readonly screen: string;
  readonly actions: readonly Action[];
}

/** Stands for what actions act on: those of other screens are read here, never run. */
const absent = <T>(known: object = {}): T => known as T;

/** The actions of every screen that has keys of its own, with the owner's keys. */
export function screenActions(): readonly ScreenActions[] {
  const { keys, shell } = t();
  const { places } = shell;
  const chat = chatActions(absent(), absent(), absent());
  const list = (isTrash: boolean) =>
    listActions(absent({ listing: { filters: {} } }), { isTrash, ...absent<ListMeans>() });
  const document = { deleted_at: null, is_hidden: false };
  const tables: readonly (readonly [string, readonly Action[]])[] = [
    [places.library, list(false)],
    [places.trash, list(true)],
    [
      keys.groups.document,
      viewerActions(absent({ document, state: {}, commands: {}, hasText: true, hasPages: true })),
    ],
    [t().viewer.actions.editPicture, pictureActions(absent())],
    [places.ask, [...conversationActions(absent(), askNames), ...chat]],
    [
      places.agent,
      [...conversationActions(absent(), agentNames), ...decisionActions(absent()), ...chat],
    ],
    [places.calendar, calendarActions(absent({ arrows: () => absent, withCurrent: () => absent }))],
    [places.shares, shareActions(absent())],
    [places.notifications, notificationActions(absent())],
  ];
  return tables.map(([screen, actions]) => ({ screen, actions: actions.map(withOwnKey) }));
}

type ListMeans = Omit<Parameters<typeof listActions>[1], 'isTrash'>;
