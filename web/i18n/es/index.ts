import type { FirstMessages } from '../messages.ts';
import { errors } from './errors.ts';
import { hidden } from './hidden.ts';
import { keys } from './keys.ts';
import { library } from './library.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { uploads } from './uploads.ts';

export const messages: FirstMessages = {
  errors,
  hidden,
  keys,
  library,
  settings,
  shell,
  signIn,
  uploads,
};
