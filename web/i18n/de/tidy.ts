import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('de');
const documents = (count: number) => n(count, { one: '# Dokument', other: '# Dokumente' });
const folders = (count: number) => n(count, { one: '# Ordner', other: '# Ordner' });

export const tidy: Messages['tidy'] = {
  title: 'Aufräumen',
  isPlan: 'Ein Plan: Noch ist nichts verschoben',
  scope: 'Was angesehen wird',
  scopes: { uncategorized: 'In keinem Ordner', all: 'Alles' },
  intro:
    'Dokumente werden nach ihrem Inhalt in Ordner gelegt. Du siehst den Plan, bevor etwas verschoben wird.',
  start: 'Plan machen',
  looking: (done, total) => `Dokumente werden angesehen: ${done} von ${total}`,
  moving: (done, total) => `Dokumente werden verschoben: ${done} von ${total}`,
  lookedAt: (count) => `${count} angesehen.`,
  wouldMove: (count) => n(count, { one: '# würde verschoben', other: '# würden verschoben' }),
  into: (count, fresh) =>
    fresh === 0 ? `in ${folders(count)}.` : `in ${folders(count)}, davon ${fresh} neu.`,
  stay: (count) => n(count, { one: '# bleibt, wo es ist.', other: '# bleiben, wo sie sind.' }),
  nothing: 'Nichts würde verschoben: Jedes Dokument liegt, wo es am besten passt.',
  plan: 'Plan',
  newFolder: 'Neuer Ordner',
  renameFolder: (name) => `${name} umbenennen`,
  folderName: 'Name des neuen Ordners',
  after: (before, after) => `${before} → ${documents(after)}`,
  documents,
  moveInto: (name, folder) => `${name} nach ${folder} verschieben`,
  noFolder: 'Kein Ordner',
  stays: 'Bleibt, wo es ist',
  ticked: (count, total) =>
    `${count} von ${total} sind angehakt. Alles kann danach rückgängig gemacht werden.`,
  tooMany: 'Höchstens 500 Dokumente können ausgelassen werden. Verwirf sonst den Plan.',
  discard: 'Verwerfen',
  move: (count) => `${documents(count)} verschieben`,
  moved: (count) => `${documents(count)} verschoben`,
  skipped: (count) => n(count, { one: '# blieb, wo es war.', other: '# blieben, wo sie waren.' }),
  before: 'Früher aufgeräumt',
  noneBefore: 'Es wurde noch nichts aufgeräumt.',
  foldersMade: (count) =>
    n(count, { one: '# Ordner wurde angelegt.', other: '# Ordner wurden angelegt.' }),
  takenBack: (count, stayed) =>
    stayed === 0
      ? `${count} kamen zurück.`
      : `${count} kamen zurück; ${stayed} blieben, denn sie wurden seither geändert.`,
  runs: 'Frühere Durchgänge',
  failed: 'Der Durchgang endete vorzeitig.',
  rules:
    'Vorhandene Ordner kommen zuerst. Verborgenes und der Papierkorb bleiben außer Betracht, und für ein einzelnes Dokument wird kein Ordner angelegt.',
  again: 'Neuen Plan machen',
  toLibrary: 'Zur Bibliothek',
};
