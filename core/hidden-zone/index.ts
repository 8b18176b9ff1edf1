export { hiddenLocked } from './errors.ts';
export { tellsOfHidden } from './kept.ts';
export {
  lockZone,
  pinState,
  removePin,
  setPin,
  unlockZone,
  type PinState,
  type Unlocked,
} from './pin.ts';
export {
  askedVisibility,
  canSee,
  visibilityFor,
  zoneFor,
  type Zone,
  type ZoneDeps,
} from './zone.ts';
