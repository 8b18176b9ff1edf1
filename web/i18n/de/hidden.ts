import type { Messages } from '../messages.ts';

export const hidden: Messages['hidden'] = {
  zone: 'Verborgener Bereich',
  hidden: 'Verborgen',
  list: 'Verborgene Dokumente, neueste zuerst',
  openTitle: 'Verborgenen Bereich öffnen',
  setTitle: 'PIN für den verborgenen Bereich festlegen',
  stayTitle: 'Im verborgenen Bereich bleiben',
  openWhy:
    'Mit der richtigen PIN zeigt dieses Fenster, was du verborgen hast, bis sich der Bereich schließt.',
  setWhy:
    'Was du verbirgst, wird nur nach dieser PIN gezeigt. Ohne sie erscheint nicht einmal die Anzahl. Merke sie dir gut.',
  pin: 'PIN, 4 bis 12 Zeichen',
  showPin: 'PIN anzeigen',
  open: 'Öffnen',
  setAndOpen: 'Festlegen und öffnen',
  stay: 'Offen lassen',
  wrongPin: 'Das war nicht die PIN.',
  afterFive: 'Nach fünf falschen hintereinander wird 15 Minuten lang keine geprüft.',
  lockedUntil: (time: string) => `Zu viele falsche PINs. Die nächste wird um ${time} geprüft.`,
  closes: 'Schließt sich nach 15 Minuten und wenn du in ein anderes Fenster wechselst.',
  leavesNothing:
    'Hinterlässt nichts: weder in der Adresse, im Titel, im Verlauf oder in den Speichern des Browsers noch in Mitteilungen.',
  isOpen: 'Der verborgene Bereich ist offen',
  onlyHere: 'Nur in diesem Fenster, und nichts davon wird gespeichert.',
  closesSoon: 'Er schließt sich in weniger als einer Minute.',
  timeLeft: 'Verbleibende Zeit',
  lockNow: 'Jetzt sperren',
  lockZone: 'Verborgenen Bereich sperren',
  askThese: 'Zu diesen fragen',
  showAgain: 'Wieder zeigen',
  hide: 'Verbergen',
  hiddenOne: 'Verborgen',
  conversation: 'Dieses Gespräch wird gelöscht, wenn sich der Bereich schließt.',
  chatsLeft:
    'Ein Gespräch von einem früheren Besuch konnte nicht gelöscht werden. Es bleibt verborgen und wird beim nächsten Öffnen gelöscht.',
  nothing: 'Nichts ist verborgen',
  howToHide: 'Wähle Dokumente in der Bibliothek aus und dann „Verbergen“.',
  rests:
    'Links, die es anderen zeigen, ruhen, solange es verborgen ist. Kein Modell beschreibt es; was du dazu fragst, solange der Bereich offen ist, steht in einem Gespräch, das verschwindet, wenn er sich schließt.',
};
