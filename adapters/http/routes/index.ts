import { docsPage, docsPolicy } from '../docs-page.ts';
import { openApi, type ErrorEntry } from '../openapi.ts';
import { assets } from '../pages/assets.ts';
import { route, type Route } from '../route.ts';
import { freeForm } from '../schema.ts';
import type { StaticText } from '../static-text.ts';
// A module adds its errors to the catalogue when it is loaded: all of them, whether an operation here calls it or not.
import '../../../core/index.ts';
import { catalogue } from '../../../core/shared/errors.ts';
import { EDGE_ERRORS, STATUS } from '../failures.ts';
import { agentChatRoutes } from './agent-chat.ts';
import { agentRoutes } from './agents.ts';
import { botRoutes } from './bots.ts';
import { calendarRoutes } from './calendar.ts';
import { contentRoutes } from './contents.ts';
import { conversationRoutes } from './conversations.ts';
import { hiddenZoneRoutes, identityRoutes } from './identity.ts';
import { imagingRoutes } from './imaging.ts';
import { integrationRoutes } from './integrations.ts';
import { libraryRoutes } from './library.ts';
import { notificationRoutes } from './notifications.ts';
import { objectRoutes } from './objects.ts';
import { officeRoutes } from './office.ts';
import { organizeRoutes } from './organize.ts';
import { referralRoutes } from './referral.ts';
import { searchRoutes } from './search.ts';
import { serviceRoutes } from './service.ts';
import { settingsRoutes } from './settings.ts';
import { shareRoutes } from './shares.ts';
import { storageMoveRoutes } from './storage-moves.ts';
import { usageRoutes } from './usage.ts';
import { visitRoutes } from './visits.ts';
import { transferRoutes } from './transfer.ts';

/** Every operation of the interface. What stands first wins where two paths fit. */
export const routes: readonly Route[] = [
  ...serviceRoutes,
  route({
    method: 'get',
    path: '/v1/openapi.json',
    tag: 'Service',
    name: 'openApi',
    summary: 'The OpenAPI document of this interface',
    access: 'owner',
    reply: { json: freeForm() },
    run: () => Promise.resolve(openApiDocument()),
    present: (document) => document,
  }),
  ...identityRoutes,
  ...usageRoutes,
  ...referralRoutes,
  ...organizeRoutes,
  ...contentRoutes,
  ...objectRoutes,
  ...imagingRoutes,
  ...libraryRoutes,
  ...searchRoutes,
  ...conversationRoutes,
  ...agentChatRoutes,
  ...agentRoutes,
  ...hiddenZoneRoutes,
  ...notificationRoutes,
  ...settingsRoutes,
  ...storageMoveRoutes,
  ...integrationRoutes,
  ...shareRoutes,
  ...visitRoutes,
  ...botRoutes,
  ...officeRoutes,
  ...calendarRoutes,
  ...transferRoutes,
];

/** Pages for people that are the same for everybody, and what pages load. */
export const texts: Readonly<Record<string, StaticText>> = {
  '/docs': { type: 'html', text: () => docsPage(openApiDocument()), policy: docsPolicy },
  ...assets,
};

/** Every error an answer can carry, with its status. */
export const errorEntries = (): readonly ErrorEntry[] => [
  ...catalogue.map(({ code, kind, message }) => ({ code, status: STATUS[kind], message })),
  ...EDGE_ERRORS,
];

let document: ReturnType<typeof openApi> | undefined;

/** Made once, when it is first asked for. */
export const openApiDocument = () => (document ??= openApi(routes, errorEntries()));
