import type { Settings, SettingsStore } from '../../../../ports/settings.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { flag, json, plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

const SETTINGS = recordMap<Settings>({
  autoRenameMode: plain('auto_rename_mode'),
  calendarRemindersMessenger: flag('calendar_reminders_messenger'),
  chatMemory: flag('chat_memory'),
  proactive: flag('proactive'),
  timezone: plain('timezone'),
  ui: json('ui'),
  prefs: json('prefs'),
});
const FIND = `select ${SETTINGS.columns.join(', ')} from settings where owner_id = ?`;
const PUT = saveText('settings', SETTINGS, []);

export function knexSettings(sql: Sql, { ownerId }: OwnerScope): SettingsStore {
  return {
    find: async () => {
      const row = await sql.get<Record<string, Value>>(FIND, [ownerId]);
      return row && SETTINGS.from(row);
    },
    put: (settings) => sql.enqueueChange(PUT, [ownerId, ...SETTINGS.values(settings)]),
  };
}
