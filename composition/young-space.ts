import { setFlagsFromString } from 'node:v8';

/**
 * Nearly everything that is made while a program is loaded stays, which V8 takes for a reason to double its space for
 * young objects, four times over; it never gives that back to a process with little to do. So the space stays small until
 * the program serves. Then it may grow with the load, as ever: a busy process needs it.
 */
export const keepYoungSpaceSmall = (): void => grownBy(1);
export const letYoungSpaceGrow = (): void => grownBy(2);

const grownBy = (factor: number): void =>
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
