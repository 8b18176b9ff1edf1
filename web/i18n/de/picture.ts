import type { PictureText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('de');

export const picture: PictureText = {
  title: 'Bild bearbeiten',
  titleOf: (name) => `${name} bearbeiten`,
  tools: 'Werkzeuge',
  show: 'Anzeigen',
  before: 'Vorher',
  after: 'Nachher',
  compareKey: 'Vorher oder nachher',
  stage: 'Vorschau des Bildes',
  loading: 'Das Bild wird geöffnet',
  notShown: 'Das Bild ließ sich nicht öffnen. Die Datei ist vielleicht beschädigt.',
  notEditable:
    'Nur Bilder im Format JPG, PNG und WebP lassen sich hier bearbeiten, aber kein animiertes PNG.',
  toDocument: 'Zurück zum Dokument',
  back: 'Zurück zum Dokument',
  turn: 'Drehen und spiegeln',
  turnLeft: 'Nach links drehen',
  turnRight: 'Nach rechts drehen',
  mirrorSides: 'Links und rechts spiegeln',
  mirrorTop: 'Oben und unten spiegeln',
  crop: 'Zuschneiden',
  cropStart: 'Ausschnitt wählen',
  cropEnd: 'Ausschnitt zeigen',
  cropAll: 'Ganzes Bild verwenden',
  cropArea: 'Rahmen des Ausschnitts',
  cropHint:
    'Ziehe den Rahmen oder seine Kanten. Die Pfeiltasten bewegen ihn, mit Umschalt ändern sie seine Größe.',
  left: 'Von links',
  top: 'Von oben',
  width: 'Breite',
  height: 'Höhe',
  size: 'Größe',
  sizeHint: 'In Pixeln. Das Seitenverhältnis bleibt, und ein Bild wird nie vergrößert.',
  wrongNumber: (min, max) =>
    min === max ? `Nur ${min} ist möglich.` : `Gib eine ganze Zahl von ${min} bis ${max} ein.`,
  quality: 'Qualität',
  compress: 'Datei durch geringere Qualität verkleinern',
  lossless: 'Ein PNG hat keine Qualität, die sich senken ließe. Verkleinere stattdessen das Bild.',
  sizes: 'Vorher und nachher',
  pixels: (width, height) => `${width} × ${height} Pixel`,
  about: (size) => `etwa ${size}`,
  sizeLater: 'Dateigröße: nach dem Speichern',
  reset: 'Zurücksetzen',
  save: 'Speichern',
  makesVersions: (count, version) =>
    n(count, {
      one: `Ergibt # Version. Version ${version} bleibt.`,
      other: `Ergibt # Versionen. Version ${version} bleibt.`,
    }),
  starting: 'Die Änderungen werden gesendet',
  running: {
    rotate: 'Das Bild wird gedreht',
    flip: 'Das Bild wird gespiegelt',
    crop: 'Das Bild wird zugeschnitten',
    resize: 'Das Bild wird verkleinert',
    compress: 'Das Bild wird komprimiert',
  },
  stepOf: (step, at, count) => `${step}, Schritt ${at} von ${count}`,
  progress: 'Fortschritt',
  saved: 'Bild bearbeitet',
  elsewhere: (version) =>
    `Version ${version} wurde anderswo hinzugefügt. Deine Änderungen wurden nicht gespeichert; mache sie an der neuen Version noch einmal.`,
  reasons: {
    animated: 'Ein animiertes PNG verlöre seine Einzelbilder und lässt sich nicht bearbeiten.',
    tooManyPixels: 'Das Bild hat mehr als 100 Megapixel. Das ist die Grenze.',
    tooLarge: 'Die Datei ist zu groß zum Bearbeiten.',
    damaged: 'Die Datei ist beschädigt und lässt sich nicht bearbeiten. Sie ist unverändert.',
    otherType: 'Die Datei ist kein Bild im Format JPG, PNG oder WebP.',
    lossless: 'Ein PNG lässt sich nicht über die Qualität komprimieren.',
    inTrash: 'Das Bild liegt im Papierkorb. Stelle es zuerst wieder her.',
    replaced: 'Das Bild wurde während der Bearbeitung ersetzt. Versuche es noch einmal.',
    noRoom:
      'Für das bearbeitete Bild ist kein Platz mehr. Leere den Papierkorb oder entferne Versionen.',
    tooMuch:
      'Die Bearbeitung dauerte zu lange oder brauchte zu viel Speicher. Das Bild ist unverändert.',
    notSmaller: 'Mit dieser Qualität würde die Datei nicht kleiner. Sie ist unverändert.',
    tooMany: 'Es werden zu viele Bilder bearbeitet. Versuche es in einigen Sekunden erneut.',
    other: 'Das Bild ließ sich nicht bearbeiten. Es ist unverändert.',
  },
};
