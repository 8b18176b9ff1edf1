import { docsPage, docsPolicy } from '../openapi/docs-page.ts';
import { openApi, type ErrorEntry } from '../openapi/openapi.ts';
import { assets } from '../pages/assets.ts';
import { route, type Route } from '../route.ts';
import { freeForm } from '../schema.ts';
import type { StaticFile } from '../response/static-file.ts';
// A module adds its errors to the catalogue when it is loaded: all of them, whether an operation here calls it or not.
import '../../../core/index.ts';
import { catalogue } from '../../../core/shared/errors.ts';
import { EDGE_ERRORS, STATUS } from '../pipeline/errors.ts';
import { agentChatRoutes } from './assistant/agent-chat.ts';
import { agentRoutes } from './assistant/agents.ts';
import { botRoutes } from './assistant/bots.ts';
import { bulkRoutes } from './library/bulk.ts';
import { calendarRoutes } from './assistant/calendar.ts';
import { changeRoutes } from './account/changes.ts';
import { contentRoutes } from './library/contents.ts';
import { conversationRoutes } from './assistant/conversations.ts';
import { hiddenZoneRoutes, identityRoutes } from './account/identity.ts';
import { imagingRoutes } from './library/imaging.ts';
import { integrationRoutes } from './account/integrations.ts';
import { libraryRoutes } from './library/folders.ts';
import { notificationRoutes } from './assistant/notifications.ts';
import { objectRoutes } from './library/objects.ts';
import { operatorRoutes } from './operator.ts';
import { officeRoutes } from './library/office.ts';
import { oidcRoutes } from './account/oidc.ts';
import { organizeRoutes } from './library/organize.ts';
import { passkeyRoutes, passkeySignInRoutes } from './account/passkeys.ts';
import { passwordRoutes } from './account/password.ts';
import { referralRoutes } from './account/referral.ts';
import { searchRoutes } from './library/search.ts';
import { securityEventRoutes } from './account/security-events.ts';
import { serviceRoutes } from './service.ts';
import { settingsRoutes } from './account/settings.ts';
import { signInRoutes } from './account/sign-in.ts';
import { shareRoutes } from './account/shares.ts';
import { storageMoveRoutes } from './library/storage-migration.ts';
import { uploadRoutes } from './library/uploads.ts';
import { textPlaceRoutes } from './library/text-places.ts';
import { usageRoutes } from './account/usage.ts';
import { viewRoutes } from './library/views.ts';
import { visitRoutes } from './account/visits.ts';
import { importRoutes } from './library/imports.ts';
import { transferRoutes } from './library/transfer.ts';

/** All operations of the interface. If two paths match, the first one wins. */
export const routes: readonly Route[] = [
  ...serviceRoutes,
  ...operatorRoutes,
  route({
    method: 'get',
    path: '/v1/openapi.json',
    tag: 'Service',
    name: 'openApi',
    summary: 'The OpenAPI document of this interface',
    access: 'owner',
    scope: 'any',
    reply: { json: freeForm() },
    run: () => Promise.resolve(openApiDocument()),
    present: (document) => document,
  }),
  ...identityRoutes,
  ...passwordRoutes,
  ...securityEventRoutes,
  ...signInRoutes,
  ...passkeySignInRoutes,
  ...passkeyRoutes,
  ...oidcRoutes,
  ...usageRoutes,
  ...referralRoutes,
  ...organizeRoutes,
  ...bulkRoutes,
  ...contentRoutes,
  ...uploadRoutes,
  ...textPlaceRoutes,
  ...objectRoutes,
  ...imagingRoutes,
  ...libraryRoutes,
  ...searchRoutes,
  ...viewRoutes,
  ...conversationRoutes,
  ...agentChatRoutes,
  ...agentRoutes,
  ...hiddenZoneRoutes,
  ...notificationRoutes,
  ...changeRoutes,
  ...settingsRoutes,
  ...storageMoveRoutes,
  ...integrationRoutes,
  ...shareRoutes,
  ...visitRoutes,
  ...botRoutes,
  ...officeRoutes,
  ...calendarRoutes,
  ...transferRoutes,
  ...importRoutes,
];

/** Static pages for people, and their assets. */
export const staticFiles: Readonly<Record<string, StaticFile>> = {
  '/docs': { type: 'html', text: () => docsPage(openApiDocument()), policy: docsPolicy },
  ...assets,
};

/** Every error an answer can carry, with its status. */
export const errorEntries = (): readonly ErrorEntry[] => [
  ...catalogue.map(({ code, kind, message }) => ({ code, status: STATUS[kind], message })),
  ...EDGE_ERRORS,
];

let document: ReturnType<typeof openApi> | undefined;

/** Created on first use. */
export const openApiDocument = () => (document ??= openApi(routes, errorEntries()));
