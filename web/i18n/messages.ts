import type { ask } from './en/ask.ts';
import type { messages } from './en/index.ts';
import type { search } from './en/search.ts';
import type { viewerText } from './en/viewer-text.ts';
import type { settingsText } from './en/settings-text.ts';
import type { tidy } from './en/tidy.ts';
import type { viewer } from './en/viewer.ts';
import type { welcomeText } from './en/welcome-text.ts';
import type { calendar } from './en/calendar.ts';
import type { agent } from './en/agent.ts';
import type { shares } from './en/shares.ts';
import type { notificationsText } from './en/notifications.ts';
import type { connections } from './en/connections.ts';
import type { roles } from './en/roles.ts';
import type { bots } from './en/bots.ts';
import type { dataText } from './en/data.ts';
import type { operators } from './en/operators.ts';
import type { picture } from './en/picture.ts';
import type { ownKeys } from './en/own-keys.ts';
import type { eventText } from './en/event-text.ts';
import type { reasons } from './en/reasons.ts';

/** The messages that the first page loads, in one language. */
export type FirstMessages = typeof messages;

/** The messages that are loaded with their screens. */
interface ScreenMessages {
  readonly ask: typeof ask;
  readonly search: typeof search;
  readonly tidy: typeof tidy;
  readonly viewer: typeof viewer;
}

/** All messages of one language. English has all of them; another language with one missing does not compile. */
export type Messages = FirstMessages & ScreenMessages;

/** The messages of the settings in one language. They are loaded with the settings. */
export type SettingsText = typeof settingsText;

/** The messages of the first steps in one language. They are loaded with them. */
export type WelcomeText = typeof welcomeText;

/** Messages of the parts of the viewer that few visits need, in one language. They are loaded with those. */
export type ViewerText = typeof viewerText;

/** Messages of single screens in one language. They are loaded with them. */
export type CalendarText = typeof calendar;
export type AgentText = typeof agent;
export type SharesText = typeof shares;
export type NotificationsText = typeof notificationsText;
export type ConnectionsText = typeof connections;
export type RolesText = typeof roles;
export type BotsText = typeof bots;
export type DataText = typeof dataText;
export type OperatorsText = typeof operators;
export type PictureText = typeof picture;
export type OwnKeysText = typeof ownKeys;
export type ReasonsText = typeof reasons;
export type EventText = typeof eventText;
