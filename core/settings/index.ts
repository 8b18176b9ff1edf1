export { uiTooLarge } from './errors.ts';
export { currentSettings, getSettings, putSettings, type SettingsEdit } from './settings.ts';
