export { uiTooLarge } from './errors.ts';
export {
  currentSettings,
  fitsUi,
  getSettings,
  putSettings,
  type SettingsEdit,
} from './settings.ts';
