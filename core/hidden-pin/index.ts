export { lockZone, pinState, removePin, setPin, unlockZone, type Unlocked } from './pin.ts';
