import type { Settings, SettingsStore } from '../../ports/settings.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
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

/** For a text without unpaired surrogates. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    // Each half of a surrogate pair counts for two of the four bytes of its code point.
    else bytes += unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
  }
  return bytes;
}
