import type { RolesText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('de');

export const roles: RolesText = {
  title: 'Rollen des Agenten',
  hint: 'Eine Rolle sagt, wie der Agent sich verhält und welche Werkzeuge er hat. Immer ist eine in Gebrauch.',
  builtIn: 'Eingebaut',
  builtInHint: 'Sie lassen sich nicht ändern.',
  own: 'Eigene',
  ownHint: 'Mit Anweisungen und Werkzeugen, die du wählst.',
  noOwn: 'Es gibt noch keine.',
  builtInRoles: {
    assistant: {
      name: 'Assistent',
      description:
        'Antwortet aus deinen Dokumenten, schreibt Notizen und kümmert sich um deinen Kalender.',
    },
    librarian: {
      name: 'Bibliothekar',
      description: 'Findet Dokumente, legt sie in Ordner und gibt ihnen gute Namen.',
    },
    planner: {
      name: 'Planer',
      description:
        'Kennt deinen Kalender, findet Daten in Dokumenten und plant, was als Nächstes kommt.',
    },
  },
  toolsets: {
    objects: 'Dokumente suchen und lesen',
    notes: 'Notizen schreiben',
    calendar: 'Kalender ansehen und Termine eintragen',
    organize: 'Dokumente verschieben und umbenennen',
  },
  noTools: 'keine Werkzeuge',
  tools: 'Werkzeuge',
  toolsHint: 'Keine Rolle kann etwas löschen, freigeben, verbergen oder verschicken.',
  inUse: 'In Gebrauch',
  use: 'Verwenden',
  useRole: (name: string) => `Verwenden: ${name}`,
  used: (name: string) => `Rolle in Gebrauch: ${name}`,
  showInstructions: 'Anweisungen',
  create: 'Rolle anlegen',
  created: (name: string) => `Rolle angelegt: ${name}`,
  edit: 'Bearbeiten',
  editRole: (name: string) => `Bearbeiten: ${name}`,
  editTitle: 'Rolle bearbeiten',
  saved: (name: string) => `Rolle geändert: ${name}`,
  save: 'Speichern',
  saving: 'Wird gespeichert',
  delete: 'Löschen',
  deleteRole: (name: string) => `Löschen: ${name}`,
  deleteTitle: (name: string) => `${name} löschen?`,
  deleteDo: 'Rolle löschen',
  deleteHint: 'Das lässt sich nicht rückgängig machen. Gespräche bleiben.',
  deleted: 'Rolle gelöscht',
  name: 'Name',
  slug: 'Kurzname',
  slugHint: 'Für Programme. Kleinbuchstaben, Ziffern und Bindestriche; später nicht änderbar.',
  description: 'Wofür sie ist',
  persona: 'Anweisungen',
  personaHint: 'Was sie tut, wie sie sich verhält, worauf sie achtet.',
  problems: {
    empty: 'Fülle dieses Feld aus.',
    tooLong: (limit: number) =>
      plural(limit, { one: 'Höchstens # Zeichen.', other: 'Höchstens # Zeichen.' }),
    slug: 'Nur Kleinbuchstaben, Ziffern und Bindestriche, höchstens 63, nicht mit einem Bindestrich am Anfang.',
    taken: 'Dieser Kurzname ist vergeben.',
    notAllowed: 'Darin sind Zeichen, die sich nicht speichern lassen.',
  },
};
