import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('es');

export const ask: Messages['ask'] = {
  newTitle: 'Preguntar',
  begin: 'Pregunta a tus documentos',
  beginHint: 'Las respuestas salen de lo que está escrito en ellos, con el lugar de cada frase.',
  chats: 'Conversaciones',
  conversation: 'Conversación',
  pinnedChats: 'Fijadas',
  lately: 'Recientes',
  today: 'Hoy',
  dayInFolder: (day: string, folder: string) => `${day} · en ${folder}`,
  newChat: 'Nueva conversación',
  gone: 'Esta conversación ya no existe.',
  loading: 'Cargando la conversación',
  pin: 'Fijar la conversación',
  unpin: 'Dejar de fijar la conversación',
  pinned: (title: string) => `Fijada: ${title}`,
  unpinned: (title: string) => `Ya no fijada: ${title}`,
  moreOf: 'Más opciones de esta conversación',
  rename: 'Renombrar la conversación',
  renameDo: 'Renombrar',
  renamed: (title: string) => `Renombrada: ${title}`,
  title: 'Título',
  deleteChat: 'Eliminar la conversación',
  deleteWarning: 'Se eliminan sus preguntas y respuestas. No se puede deshacer.',
  deleted: 'Conversación eliminada',
  question: 'Pregunta sobre tus documentos',
  placeholder: 'Pregunta sobre tus documentos',
  placeholderOn: 'Sigue preguntando, o pregunta otra cosa',
  send: (key: string) => `Preguntar (${key})`,
  sendQuestion: 'Hacer la pregunta',
  write: 'Escribir una pregunta',
  stop: 'Detener la respuesta',
  nextQuestion: 'Pregunta siguiente',
  previousQuestion: 'Pregunta anterior',
  nextCitation: 'Cita siguiente',
  previousCitation: 'Cita anterior',
  searchIn: 'Buscar en:',
  allDocuments: 'Todos los documentos',
  oneFolder: 'Una carpeta',
  findFolder: 'Buscar una carpeta',
  chooseDocuments: 'Preguntar sobre ciertos documentos',
  findDocument: 'Buscar un documento',
  noDocument: 'No se encontró ningún documento.',
  askAboutCount: (count: number) =>
    plural(count, {
      one: 'Preguntar sobre # documento',
      many: 'Preguntar sobre # de documentos',
      other: 'Preguntar sobre # documentos',
    }),
  aboutThese: 'Sobre',
  withoutDocument: (name: string) => `Quitar ${name}`,
  moreDocuments: (count: number) =>
    plural(count, { one: 'y # más', many: 'y # más', other: 'y # más' }),
  aboutAll: 'Sobre todos',
  searching: 'Buscando en tus documentos',
  waiting: 'El servicio está ocupado. Tu pregunta espera.',
  stopped: 'Incompleta: la respuesta se interrumpió.',
  cutOff: {
    length: 'Incompleta: el modelo alcanzó su límite de tokens.',
    filtered: 'Incompleta: el servicio del modelo retuvo el resto.',
  },
  stoppedEmpty: 'Sin respuesta: se detuvo antes de empezar.',
  noSource: 'sin fuente',
  sources: 'Fuentes',
  sourcesOf: 'Fuentes de la respuesta',
  sourceLabel: (index: number, name: string, page?: number) =>
    page === undefined ? `Fuente ${index}: ${name}` : `Fuente ${index}: ${name}, página ${page}`,
  sourcesShort: (count: number) =>
    plural(count, { one: '# fuente', many: '# de fuentes', other: '# fuentes' }),
  inDocuments: (count: number) =>
    plural(count, { one: 'en # documento', many: 'en # de documentos', other: 'en # documentos' }),
  sourcesIn: (sources: number, documents: number) =>
    `${sources} ${plural(documents, { one: 'en # documento', many: 'en # de documentos', other: 'en # documentos' })}`,
  page: (page: number) => `Página ${page}`,
  openAtPlace: 'Abrir en el lugar',
  openSource: (index: number) => `Abrir en el lugar: fuente ${index}`,
  searched: (count: number) =>
    plural(count, {
      one: '# documento consultado',
      many: '# de documentos consultados',
      other: '# documentos consultados',
    }),
  unread: (count: number) =>
    plural(count, { one: '# sin leer', many: '# sin leer', other: '# sin leer' }),
  builtIn: 'Motor integrado, en este servidor',
  inOwnNetwork: (engine: string) => `${engine}, en tu propia red`,
  atHost: (engine: string, host: string) => `${engine}, en ${host}`,
  copy: 'Copiar la respuesta con sus fuentes',
  copied: 'Respuesta copiada con sus fuentes',
  notCopied: 'El navegador no permitió copiar.',
  askAgain: 'Preguntar de nuevo',
  withoutModel: 'Responder sin el modelo',
  complete: 'Respuesta completa',
  stoppedAnswer: 'La respuesta está incompleta.',
  failedAnswer: 'No hay respuesta.',
  failures: {
    deadline: 'El modelo no respondió a tiempo.',
    upstream_failed: 'El modelo no respondió.',
    broken_off: 'Se cortó la conexión.',
    plan_limit: 'Las preguntas de tu plan se han agotado por ahora.',
  },
  seeNearest: (count: number) =>
    plural(count, {
      one: 'Ver el documento más cercano',
      many: 'Ver los # de documentos más cercanos',
      other: 'Ver los # documentos más cercanos',
    }),
  seeUnread: (count: number) =>
    plural(count, {
      one: 'Ver el que está sin leer, y por qué',
      many: 'Ver los # sin leer, y por qué',
      other: 'Ver los # sin leer, y por qué',
    }),
  addMissing: 'Añadir lo que falta y preguntar de nuevo',
  unreadTitle: 'Documentos sin leer',
  unreadWhy: 'Las respuestas no tienen en cuenta estos documentos.',
  unreadOfAll:
    'Las respuestas no tienen en cuenta estos documentos. Son los de toda la biblioteca.',
  unreadRest: (count: number) =>
    plural(count, {
      one: 'En # más no se encontró texto.',
      many: 'En # más no se encontró texto.',
      other: 'En # más no se encontró texto.',
    }),
  unreadFailed: 'No se pudo leer',
  beingRead: 'Se está leyendo',
  waitsToBeRead: 'Por leer',
};
