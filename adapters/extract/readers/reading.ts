import type { PageFacts } from '../../../ports/text-extraction.ts';

/** What a reader took out of one file, before it is cut and measured. */
export interface Reading {
  readonly source: 'native' | 'extracted';
  readonly title: string;
  /** Normalised text of each page. Formats without pages have one. */
  readonly pages: readonly Page[];
  /** Written in a human language, so that it is worth asking which. */
  readonly prose: boolean;
  /** What to tell the language by, where the text holds a lot that is in none. */
  readonly sample?: string;
  /** Of a page of the web. */
  readonly page?: PageFacts;
  /** Some of the pages are pictures, as far as can be told. */
  readonly scanned?: true;
}

export interface Page {
  readonly text: string;
  /** Its first sentence began on the page before. */
  readonly continues: boolean;
}

/** A file that is not read, for a reason that its owner can understand. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Sound, but a person has to look; otherwise it is broken or over a bound. */
  readonly sound: boolean;
  /** Recognition may read what is in it. */
  readonly scanned: boolean;
  constructor(reason: string, { sound = false, scanned = false } = {}) {
    super(reason);
    this.sound = sound;
    this.scanned = scanned;
  }
}

export const PROTECTED = 'The file is protected by a password.';
