import type { NotificationsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('de');

export const notificationsText: NotificationsText = {
  title: 'Mitteilungen',
  unread: (count) => `${count} ungelesen`,
  show: 'Anzeigen',
  all: 'Alle',
  onlyUnread: 'Ungelesene',
  readAll: 'Alle als gelesen markieren',
  read: 'Als gelesen markieren',
  readOne: (what) => `Als gelesen markieren: ${what}`,
  remove: 'Entfernen',
  removeOne: (what) => `Entfernen: ${what}`,
  isNew: 'Neu',
  more: 'Mehr zeigen',
  today: 'Heute',
  yesterday: 'Gestern',
  none: 'Es gibt nichts Neues',
  noneHint:
    'Hier steht, was der Dienst in deiner Abwesenheit getan hat, jeweils mit dem Weg dorthin.',
  allRead: 'Alles ist gelesen',
  showAll: 'Alle zeigen',
  toAll: 'Alle Mitteilungen',
  next: 'Nächste Mitteilung',
  previous: 'Vorige Mitteilung',
  ready: (name) => `${name} ist bereit`,
  notReady: (name) => `${name} konnte nicht gelesen werden`,
  notSaved: (name) => `Deine Änderung an ${name} konnte nicht gespeichert werden`,
  savedEarlier: (name) =>
    `Deine Änderung an ${name} ist als frühere Version gespeichert, weil die Datei anderswo geändert wurde`,
  edited: {
    compress: (name) => `${name} wurde komprimiert`,
    resize: (name) => `${name} wurde verkleinert`,
    rotate: (name) => `${name} wurde gedreht`,
    flip: (name) => `${name} wurde gespiegelt`,
    crop: (name) => `${name} wurde zugeschnitten`,
  },
  editedHint: 'Das frühere Bild lässt sich aus den Versionen wiederherstellen.',
  notEdited: (name) => `${name} konnte nicht bearbeitet werden`,
  unchanged: (name) => `${name} bleibt, wie es ist`,
  filed: (count) =>
    n(count, { one: '# Dokument in Ordner gelegt', other: '# Dokumente in Ordner gelegt' }),
  planned: 'Ein Plan zum Aufräumen ist fertig',
  movedOut: 'Deine Dateien sind in deinem Bucket',
  movedBack: 'Deine Dateien sind wieder beim Dienst',
  notMoved: 'Einige deiner Dateien konnten nicht verschoben werden',
  movedCount: (moved, failed) => {
    const files = n(moved, { one: '# Datei verschoben', other: '# Dateien verschoben' });
    return failed === 0 ? `${files}.` : `${files}, ${failed} nicht.`;
  },
  begins: (when) => `Beginn: ${when}`,
  shareOpened: (name) => `Der Link zu ${name} wurde zum ersten Mal geöffnet`,
  uploaded: (name, folder) => `${name} wurde über einen Link nach ${folder} hochgeladen`,
  referred: (name) => `${name} hat deinen Einladungscode verwendet`,
  modelFailed: 'Dein Modell antwortet nicht mehr wie erwartet',
  bucketFailed: 'Dein Bucket antwortet nicht mehr wie erwartet',
  botPolled: (name) =>
    `Der Bot ${name} holt seine Nachrichten ab, weil die Plattform sie nicht zustellt`,
  botConflict: (name) => `Ein anderes Programm nutzt den Bot ${name}`,
  botRefused: (name) => `Der Bot ${name} ist getrennt`,
  botRefusedHint: 'Verbinde ihn erneut mit seinem Token.',
  network: (network) => `Netz ${network}`,
  security: {
    newPlace: 'Es gab eine Anmeldung von einem neuen Ort',
    newPlaceHint:
      'Wenn du das nicht warst: Beende diese Sitzung, ändere dein Passwort und prüfe deine Passkeys.',
    copiedPasskey: 'Ein Passkey wurde vielleicht kopiert',
    copiedPasskeyHint: 'Wenn du das nicht warst, entferne den Passkey.',
    pinLocked: 'Die PIN kann eine Weile nicht eingegeben werden',
    pinLockedHint:
      'Eine falsche PIN wurde zu oft eingegeben. Wenn du das nicht warst, beende die Sitzung, aus der sie kam.',
    failedSignIns: 'Viele Anmeldungen sind an einem Tag gescheitert',
    failedSignInsHint:
      'Wenn du das nicht warst: Prüfe, ob dein Passwort nirgends sonst verwendet wird, oder melde dich nur mit einem Passkey an.',
  },
};
