import { AUTO_RENAME_MODES, type Settings as OwnerSettings } from '../../../../ports/settings.ts';
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
  }),
);

const settings = (s: OwnerSettings): TypeOf<typeof Settings> => ({
  auto_rename_mode: s.autoRenameMode,
  calendar_reminders_messenger: s.calendarRemindersMessenger,
  chat_memory: s.chatMemory,
  proactive: s.proactive,
  timezone: s.timezone,
  prefs: s.prefs,
  ui: s.ui,
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
    run: (core, { caller }) => core.settings.getSettings(caller),
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
    run: (core, { caller, body }) =>
      core.settings.putSettings(caller, {
        ...(body.auto_rename_mode !== undefined && { autoRenameMode: body.auto_rename_mode }),
        ...(body.calendar_reminders_messenger !== undefined && {
          calendarRemindersMessenger: body.calendar_reminders_messenger,
        }),
        ...(body.chat_memory !== undefined && { chatMemory: body.chat_memory }),
        ...(body.proactive !== undefined && { proactive: body.proactive }),
        ...(body.timezone !== undefined && { timezone: body.timezone }),
        ...(body.ui !== undefined && { ui: body.ui }),
      }),
    present: settings,
  }),
];
