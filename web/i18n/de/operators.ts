import type { OperatorsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('de');

export const operators: OperatorsText = {
  title: 'Zustand des Dienstes',
  facts: 'Versionen, Speicherplatz und Aufgaben',
  reload: 'Neu lesen',
  forbidden: 'Das sieht nur, wer den Dienst betreibt',
  forbiddenHint: 'Die Kontorolle dafür vergibt der Betrieb des Dienstes.',
  versions: 'Versionen',
  program: 'Programm',
  schema: 'Datenbankschema',
  runtime: 'Node.js',
  profile: 'Profil',
  profiles: {
    standalone: 'Ein Prozess (standalone)',
    team: 'Mehrere Prozesse (team)',
    memory: 'Nur im Speicher (memory)',
  },
  startedAt: 'Dieser Prozess läuft seit',
  storage: 'Speicherplatz',
  storageHint: 'Dokumente aller Konten in ihrer jetzigen Version, ohne verborgene.',
  place: 'Ort',
  places: { folder: 'Ordner', bucket: 'Bucket', memory: 'Arbeitsspeicher' },
  files: 'Dateien',
  size: 'Größe',
  free: 'Freier Platz',
  unknown: 'unbekannt',
  queues: 'Hintergrundaufgaben',
  queuesHint: 'Aller Konten, nach Art.',
  noTasks: 'Keine Aufgabe wartet, läuft oder ist fehlgeschlagen.',
  kind: 'Art',
  waiting: 'Wartend',
  running: 'Laufend',
  failed: 'Gescheitert',
  overdue: 'Überfällig',
  backup: 'Letzte Sicherung',
  backupHint: 'Vom Befehl owner-workspace backup im Datenordner vermerkt.',
  backupAt: (moment) => `Fertig seit: ${moment}.`,
  noBackup: 'Hier ist keine Sicherung vermerkt.',
  backupOld: 'Sie ist älter als zwei Tage.',
  damaged: 'Eine Datei fehlte oder war beschädigt.',
  drills: 'Letzte Störfallübungen',
  drillsHint:
    'Der Bericht von npm run --silent drill -- --json, als status/drills.json im Datenordner.',
  noDrills: 'Hier liegt kein Bericht der Übungen.',
  drillsAt: (moment) => `Bericht vom ${moment}.`,
  drillsPassed: (count) =>
    plural(count, { one: '# Übung bestanden.', other: 'Alle # Übungen bestanden.' }),
  drillsFailed: (count) =>
    plural(count, { one: '# Übung gescheitert.', other: '# Übungen gescheitert.' }),
  drillsSkipped: (count) =>
    plural(count, { one: '# war hier nicht möglich.', other: '# waren hier nicht möglich.' }),
  passed: 'bestanden',
  broke: 'gescheitert',
};
