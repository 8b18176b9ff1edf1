/** `auto`: renames by what a file holds. `suggest`: proposes a name. `dont_rename`: neither. */
export const AUTO_RENAME_MODES = ['auto', 'suggest', 'dont_rename'] as const;
export type AutoRenameMode = (typeof AUTO_RENAME_MODES)[number];

/** What an owner has chosen. */
export interface Settings {
  readonly autoRenameMode: AutoRenameMode;
  readonly calendarRemindersMessenger: boolean;
  readonly chatMemory: boolean;
  readonly proactive: boolean;
  /** IANA name. */
  readonly timezone: string;
  /** The client's own, kept as it was sent. */
  readonly ui: Readonly<Record<string, unknown>>;
  /** The service's own notes about the owner. */
  readonly prefs: Readonly<Record<string, unknown>>;
}

/**
 * The settings of one owner.
 *
 * Contract (contract-tests/suites/settings-store.ts):
 * - Nothing is found until something was put; putting again replaces; what was put is given back, field for field, whatever keys it has.
 * - Another owner's settings are out of reach.
 */
export interface SettingsStore {
  find(): Promise<Settings | undefined>;
  put(settings: Settings): Promise<void>;
}
