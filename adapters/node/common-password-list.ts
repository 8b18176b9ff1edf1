import { dictionary } from '@zxcvbn-ts/language-common';

/** The most used passwords, most frequent first. A module of its own, so that the list is loaded when it is needed. */
export const rankedPasswords: readonly string[] = dictionary['passwords-common'].map(String);
