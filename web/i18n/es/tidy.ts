import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('es');
const documents = (count: number) =>
  n(count, { one: '# documento', many: '# de documentos', other: '# documentos' });
const folders = (count: number) =>
  n(count, { one: '# carpeta', many: '# de carpetas', other: '# carpetas' });

export const tidy: Messages['tidy'] = {
  title: 'Ordenar',
  isPlan: 'Un plan: aún no se ha movido nada',
  scope: 'Qué se mira',
  scopes: { uncategorized: 'Sin carpeta', all: 'Todo' },
  intro:
    'Los documentos se ponen en carpetas según su contenido. Verás el plan antes de que se mueva nada.',
  start: 'Hacer un plan',
  looking: (done, total) => `Mirando documentos: ${done} de ${total}`,
  moving: (done, total) => `Moviendo documentos: ${done} de ${total}`,
  lookedAt: (count) => `${count} mirados.`,
  wouldMove: (count) =>
    n(count, { one: '# se movería', many: '# se moverían', other: '# se moverían' }),
  into: (count, fresh) =>
    fresh === 0 ? `a ${folders(count)}.` : `a ${folders(count)}, ${fresh} de ellas nuevas.`,
  stay: (count) =>
    n(count, {
      one: '# se queda donde está.',
      many: '# se quedan donde están.',
      other: '# se quedan donde están.',
    }),
  nothing: 'No se movería nada: cada documento está en su sitio.',
  plan: 'Plan',
  newFolder: 'Nueva carpeta',
  renameFolder: (name) => `Renombrar ${name}`,
  folderName: 'Nombre de la nueva carpeta',
  after: (before, after) => `${before} → ${documents(after)}`,
  documents,
  moveInto: (name, folder) => `Mover ${name} a ${folder}`,
  noFolder: 'Sin carpeta',
  stays: 'Se queda donde está',
  ticked: (count, total) => `${count} de ${total} marcados. Después se puede deshacer todo.`,
  tooMany: 'Se pueden excluir 500 documentos como máximo. Si no, descarta el plan.',
  discard: 'Descartar',
  move: (count) => `Mover ${documents(count)}`,
  moved: (count) =>
    n(count, {
      one: '# documento movido',
      many: '# de documentos movidos',
      other: '# documentos movidos',
    }),
  skipped: (count) =>
    n(count, {
      one: '# se quedó donde estaba.',
      many: '# se quedaron donde estaban.',
      other: '# se quedaron donde estaban.',
    }),
  before: 'Ordenado antes',
  noneBefore: 'Aún no se ha ordenado nada.',
  foldersMade: (count) =>
    n(count, {
      one: '# carpeta creada.',
      many: '# de carpetas creadas.',
      other: '# carpetas creadas.',
    }),
  takenBack: (count, stayed) =>
    stayed === 0
      ? `${count} volvieron.`
      : `${count} volvieron; ${stayed} se quedaron porque cambiaron desde entonces.`,
  runs: 'Veces anteriores',
  failed: 'Se detuvo antes de terminar.',
  rules:
    'Las carpetas existentes van primero. No se mira lo oculto ni la papelera, y no se crea una carpeta para un solo documento.',
  again: 'Hacer otro plan',
  toLibrary: 'A la biblioteca',
};
