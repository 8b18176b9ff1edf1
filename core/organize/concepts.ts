import type { DocType } from '../../ports/objects.ts';
import type { ObjectKind } from '../../ports/text-extraction.ts';
import classes from './document-classes.json' with { type: 'json' };
import themes from './themes.json' with { type: 'json' };

/** Languages in which folders and themes are named. */
export const NAMING_LANGUAGES = ['en', 'ru', 'de', 'fr', 'es', 'zh'] as const;
export type NamingLanguage = (typeof NAMING_LANGUAGES)[number];

/** The class of an object: its document type, else its kind of file. */
export type DocumentClass =
  | Exclude<DocType, 'other'>
  | Extract<ObjectKind, 'audio' | 'video' | 'archive' | 'email' | 'link' | 'image'>;

export type ThemeKind = 'finance' | 'work' | 'health' | 'travel' | 'personal' | 'library' | 'media';

type Names = Readonly<Record<NamingLanguage, string>>;

interface ClassConcept {
  readonly theme: ThemeKind | null;
  /** Of a new folder. */
  readonly names: Names;
  /** Further words and phrases in names of folders that mean the class. */
  readonly words: readonly string[];
}

interface ThemeConcept {
  readonly names: Names;
  readonly words: readonly string[];
  /** The classes that match the theme, with the confidence 0..1. */
  readonly draws: Readonly<Partial<Record<DocumentClass, number>>>;
}

export const DOCUMENT_CLASSES = classes as Readonly<Record<DocumentClass, ClassConcept>>;

/** Themes for new folders. */
export const THEMES: Readonly<Record<ThemeKind, ThemeConcept>> = themes;

/** Classes that do not determine the destination: an email or a note may be about anything. */
export const AMBIGUOUS_CLASSES: ReadonlySet<DocumentClass> = new Set([
  'note',
  'letter',
  'article',
  'report',
  'form',
  'spreadsheet',
  'presentation',
  'manual',
  'email',
  'link',
  'archive',
  'image',
  'audio',
  'video',
  'meeting_notes',
]);
