import type { ViewerText } from '../messages.ts';

export const viewerText: ViewerText = {
  editor: 'Office-Editor',
  opening: 'Der Editor wird geöffnet',
  readOnly:
    'Dateien dieses Formats zeigt der Editor nur an. Speichere sie in einem neueren Format, um sie zu bearbeiten.',
  whenStored: 'Änderungen werden als Version gespeichert, wenn der Editor geschlossen ist.',
  unsent: 'Deine Änderungen werden übertragen',
  stored: (version) => `Deine Änderungen sind als Version ${version} gespeichert.`,
  newer: (version) =>
    `Version ${version} kam anderswo hinzu. Was du hier speicherst, wird daneben abgelegt.`,
  outdated: 'Das Dokument hat eine neuere Version als die im Editor.',
  openAgain: 'Die neueste öffnen',
  failed: 'Der Editor meldet einen Fehler. Öffne ihn neu, wenn es nicht weitergeht.',
  missing: 'Der Editor ließ sich nicht vom Dokumentenserver laden.',
  off: {
    switched_off:
      'Es ist kein Dokumentenserver verbunden, deshalb lässt sich die Datei selbst hier nicht bearbeiten.',
    engine_unavailable:
      'Der Dokumentenserver antwortet nicht, deshalb lässt sich die Datei selbst gerade nicht bearbeiten.',
    unsupported_format: 'Dateien dieses Formats öffnet der Dokumentenserver nicht.',
  },
  onlyText: 'Das ist der Text, der aus ihr gelesen wurde.',
  otherwise:
    'Lade die Datei herunter, bearbeite sie in einem anderen Programm und füge sie als Version hinzu.',
  newerVersion: (version) => `Version ${version} ist neuer.`,
  isEarlier: (version) => `Das ist Version ${version}, aus der die Worte zitiert sind.`,
  toNewest: 'Die neueste zeigen',
};
