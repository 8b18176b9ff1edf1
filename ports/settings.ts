/** `auto`: renames by content. `suggest`: proposes a name. `dont_rename`: neither. */
export const AUTO_RENAME_MODES = ['auto', 'suggest', 'dont_rename'] as const;
export type AutoRenameMode = (typeof AUTO_RENAME_MODES)[number];

/** The settings of an owner. */
export interface Settings {
  readonly autoRenameMode: AutoRenameMode;
  readonly calendarRemindersMessenger: boolean;
  readonly chatMemory: boolean;
  readonly proactive: boolean;
  /** IANA name. */
  readonly timezone: string;
  /** Client-defined, stored unchanged. */
  readonly ui: Readonly<Record<string, unknown>>;
  /** The service's internal notes about the owner. */
  readonly prefs: Readonly<Record<string, unknown>>;
}

/**
 * The settings of one owner.
 *
 * Contract (contract-tests/suites/settings-store.ts):
 * - Nothing is found until settings are stored. A second `put` replaces. Settings are returned field for field, with
 *   any keys.
 * - Another owner's settings are out of reach.
 */
export interface SettingsStore {
  find(): Promise<Settings | undefined>;
  put(settings: Settings): Promise<void>;
}
