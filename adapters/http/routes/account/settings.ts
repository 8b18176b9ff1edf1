import { AUTO_RENAME_MODES, type Settings as OwnerSettings } from '../../../../ports/settings.ts';
import type { Core } from '../../../../core/index.ts';
import type { Caller } from '../../../../core/shared/caller.ts';
import { uiTooLarge } from '../../../../core/settings/index.ts';
import { route } from '../../route.ts';
import {
  closed,
  flag,
  freeForm,
  named,
  object,
  oneOf,
  optional,
  text,
  timeZone,
  type TypeOf,
} from '../../schema.ts';
import { waitingDocuments } from '../shapes.ts';

const tag = 'Settings';

const Settings = named(
  'Settings',
  closed({
    auto_rename_mode: oneOf(...AUTO_RENAME_MODES),
    calendar_reminders_messenger: flag(),
    chat_memory: flag(),
    proactive: flag(),
    timezone: text({ description: 'IANA name.' }),
    prefs: freeForm({ description: 'Data of the service; read only.' }),
    ui: freeForm({ description: 'Data of the client.' }),
    waiting_documents: optional(waitingDocuments()),
  }),
);

interface Shown {
  readonly of: OwnerSettings;
  readonly waiting: number;
}

const withWaiting = async (core: Core, caller: Caller, of: OwnerSettings): Promise<Shown> => ({
  of,
  waiting: await core.integrations.countWaitingDocuments(caller),
});

const settings = ({ of: s, waiting }: Shown): TypeOf<typeof Settings> => ({
  auto_rename_mode: s.autoRenameMode,
  calendar_reminders_messenger: s.calendarRemindersMessenger,
  chat_memory: s.chatMemory,
  proactive: s.proactive,
  timezone: s.timezone,
  prefs: s.prefs,
  ui: s.ui,
  ...(waiting > 0 && { waiting_documents: waiting }),
});

/** The body limit is far above that of `ui`, so a `ui` that is too large gets its own error. */
const MAX_BODY_BYTES = 8 * 2 ** 20;

export const settingsRoutes = [
  route({
    method: 'get',
    path: '/v1/settings',
    tag,
    name: 'getSettings',
    summary: "The owner's settings",
    access: 'owner',
    scope: ['account', 'read'],
    reply: { json: Settings },
    run: async (core, { caller }) =>
      withWaiting(core, caller, await core.settings.getSettings(caller)),
    present: settings,
  }),
  route({
    method: 'put',
    path: '/v1/settings',
    tag,
    name: 'putSettings',
    summary: 'Change settings',
    description:
      'Absent fields keep their values. `ui` replaces the stored one: at most 16384 bytes as compact JSON.',
    access: 'owner',
    scope: 'account',
    errors: ['ui_too_large'],
    body: {
      json: object({
        auto_rename_mode: optional(oneOf(...AUTO_RENAME_MODES)),
        calendar_reminders_messenger: optional(flag()),
        chat_memory: optional(flag()),
        proactive: optional(flag()),
        timezone: optional(timeZone()),
        ui: optional(freeForm()),
      }),
      maxBytes: MAX_BODY_BYTES,
      tooDeep: { ui: uiTooLarge },
    },
    reply: { json: Settings },
    run: async (core, { caller, body }) => {
      const changed = await core.settings.putSettings(caller, {
        ...(body.auto_rename_mode !== undefined && { autoRenameMode: body.auto_rename_mode }),
        ...(body.calendar_reminders_messenger !== undefined && {
          calendarRemindersMessenger: body.calendar_reminders_messenger,
        }),
        ...(body.chat_memory !== undefined && { chatMemory: body.chat_memory }),
        ...(body.proactive !== undefined && { proactive: body.proactive }),
        ...(body.timezone !== undefined && { timezone: body.timezone }),
        ...(body.ui !== undefined && { ui: body.ui }),
      });
      return withWaiting(core, caller, changed);
    },
    present: settings,
  }),
];
