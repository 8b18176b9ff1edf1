import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('fr');
const documents = (count: number) =>
  n(count, { one: '# document', many: '# de documents', other: '# documents' });
const folders = (count: number) =>
  n(count, { one: '# dossier', many: '# de dossiers', other: '# dossiers' });

export const tidy: Messages['tidy'] = {
  title: 'Ranger',
  isPlan: 'Un plan : rien n’a encore été déplacé',
  scope: 'Ce qui est examiné',
  scopes: { uncategorized: 'Sans dossier', all: 'Tout' },
  intro:
    'Les documents sont classés dans des dossiers d’après leur contenu. Vous voyez le plan avant tout déplacement.',
  start: 'Établir un plan',
  looking: (done, total) => `Examen des documents : ${done} sur ${total}`,
  moving: (done, total) => `Déplacement des documents : ${done} sur ${total}`,
  lookedAt: (count) => `${count} examinés.`,
  wouldMove: (count) =>
    n(count, {
      one: '# serait déplacé',
      many: '# seraient déplacés',
      other: '# seraient déplacés',
    }),
  into: (count, fresh) =>
    fresh === 0 ? `vers ${folders(count)}.` : `vers ${folders(count)}, dont ${fresh} à créer.`,
  stay: (count) =>
    n(count, {
      one: '# reste où il est.',
      many: '# restent où ils sont.',
      other: '# restent où ils sont.',
    }),
  nothing: 'Rien ne serait déplacé : chaque document est à sa place.',
  plan: 'Plan',
  newFolder: 'Nouveau dossier',
  renameFolder: (name) => `Renommer ${name}`,
  folderName: 'Nom du nouveau dossier',
  after: (before, after) => `${before} → ${documents(after)}`,
  documents,
  moveInto: (name, folder) => `Déplacer ${name} vers ${folder}`,
  noFolder: 'Sans dossier',
  stays: 'Reste où il est',
  ticked: (count, total) => `${count} sur ${total} cochés. Tout pourra être annulé ensuite.`,
  tooMany: 'On peut exclure 500 documents au plus. Sinon, abandonnez le plan.',
  discard: 'Abandonner',
  move: (count) => `Déplacer ${documents(count)}`,
  moved: (count) =>
    n(count, {
      one: '# document déplacé',
      many: '# de documents déplacés',
      other: '# documents déplacés',
    }),
  skipped: (count) =>
    n(count, {
      one: '# est resté à sa place.',
      many: '# sont restés à leur place.',
      other: '# sont restés à leur place.',
    }),
  before: 'Rangements passés',
  noneBefore: 'Rien n’a encore été rangé.',
  foldersMade: (count) =>
    n(count, { one: '# dossier créé.', many: '# de dossiers créés.', other: '# dossiers créés.' }),
  takenBack: (count, stayed) =>
    stayed === 0
      ? `${count} remis en place.`
      : `${count} remis en place ; ${stayed} modifiés depuis sont restés.`,
  runs: 'Rangements précédents',
  failed: 'Le rangement s’est arrêté avant la fin.',
  rules:
    'Les dossiers existants passent en premier. Ce qui est masqué ou à la corbeille n’est pas examiné, et aucun dossier n’est créé pour un seul document.',
  again: 'Établir un autre plan',
  toLibrary: 'Vers la bibliothèque',
};
