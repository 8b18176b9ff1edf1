import { createContext } from 'preact';

/** Whether a screen is shown inside the hidden zone: nothing of it may be in the title or the address. */
export const InZone = createContext(false);
