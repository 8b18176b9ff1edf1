import type { Settings, SettingsStore } from '../../ports/settings.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { utf8Length } from '../shared/byte-length.ts';
import { uiTooLarge } from './errors.ts';

export interface SettingsDeps {
  readonly uow: UnitOfWork<'settings'>;
}

/** Absent fields are unchanged. `prefs` belongs to the service. */
export type SettingsEdit = Partial<Omit<Settings, 'prefs'>>;

/** Size of `ui` as compact JSON in UTF-8. */
const MAX_UI_BYTES = 16_384;

/** Default settings. */
const DEFAULTS: Settings = {
  autoRenameMode: 'suggest',
  calendarRemindersMessenger: false,
  chatMemory: true,
  proactive: false,
  timezone: 'UTC',
  ui: {},
  prefs: {},
};

export async function getSettings(deps: SettingsDeps, caller: Caller): Promise<Settings> {
  return deps.uow.read(caller.scope, currentSettings);
}

/** Changes the given fields only; `ui` is replaced as a whole. */
export async function putSettings(
  deps: SettingsDeps,
  caller: Caller,
  edit: SettingsEdit,
): Promise<Settings> {
  if (edit.ui && !fitsUi(edit.ui)) throw uiTooLarge();
  return deps.uow.write(caller.scope, async (stores) => {
    const changed = { ...(await currentSettings(stores)), ...edit };
    await stores.settings.put(changed);
    return changed;
  });
}

/** Whether the client-defined settings are small enough to be stored. */
export const fitsUi = (ui: Settings['ui']): boolean =>
  utf8Length(JSON.stringify(ui)) <= MAX_UI_BYTES;

/** For a unit of work that is already open. */
export const currentSettings = async (stores: {
  readonly settings: SettingsStore;
}): Promise<Settings> => (await stores.settings.find()) ?? DEFAULTS;
