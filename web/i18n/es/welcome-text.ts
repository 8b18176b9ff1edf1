import type { WelcomeText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('es');

export const welcomeText: WelcomeText = {
  greetings: { morning: 'Buenos días', day: 'Buenas tardes', evening: 'Buenas noches' },
  greeting: (greeting, name) => `${greeting}, ${name}`,
  steps: 'Pasos',
  notNow: 'Ahora no',
  done: 'Hecho',
  drop: 'Suelta archivos o una carpeta entera en cualquier lugar, pega una imagen o elige',
  kinds: 'PDF, ofimática, correo, libros, imágenes, tablas, texto.',
  nothingLeaves: 'Nada sale de este servidor.',
  firstFiles: 'Primeros archivos',
  noFiles: 'Elige algunos que conozcas bien.',
  cameIn: (count) =>
    n(count, {
      one: 'Ha llegado # archivo',
      many: 'Han llegado # de archivos',
      other: 'Han llegado # archivos',
    }),
  areRead: (count) =>
    n(count, { one: '# está leído', many: '# están leídos', other: '# están leídos' }),
  read: (type) => `Leído: ${type}`,
  waits: 'Por leer',
  askFirst: 'Pregúntales algo',
  ownWords: 'Las respuestas son frases de tus documentos, cada una con su lugar.',
  nothingToAsk:
    'No se encontró en ellos ninguna fecha, importe ni nombre. Haz una pregunta propia.',
  ownQuestion: 'Hacer una pregunta propia',
  preparing: 'Buscando preguntas',
  youAreIn: 'Has iniciado sesión',
  linkUsed: 'El enlace del terminal sirve una sola vez.',
  region: (language, zone) => `Idioma y zona: ${language}, ${zone}.`,
  change: 'Cambiar',
  passkey: 'Crear una llave de acceso',
  passkeyWhy: 'Así este dispositivo ya no necesita un enlace.',
  passkeyMade: 'Esta cuenta tiene una llave de acceso.',
  firstQuestion: 'Primera pregunta',
  chooseQuestion: 'Elige una o escribe la tuya.',
  questionAsked: 'La respuesta está en «Preguntar».',
  afterFirstFile: 'Cuando se haya leído el primer archivo, se propondrán preguntas.',
  filing: 'Dejar que se ordenen',
  filingWhy: 'Se muestra un plan antes de mover nada.',
  filingLater: (count) =>
    n(count, {
      one: 'A partir de # archivo.',
      many: 'A partir de # de archivos.',
      other: 'A partir de # archivos.',
    }),
  filingDone: 'Los documentos están en carpetas.',
  makePlan: 'Ver un plan',
  elsewhere: '¿Vienes de otro lugar?',
  elsewhereWhy:
    'Los archivos y carpetas entran tal como están. La exportación de otro espacio de trabajo es un solo archivo ZIP.',
  chooseExport: 'Elegir una exportación',
  bringingIn: 'Importando la exportación',
  broughtIn: (count) =>
    n(count, {
      one: 'Se importó # documento.',
      many: 'Se importaron # de documentos.',
      other: 'Se importaron # documentos.',
    }),
  badExport: 'No es una exportación completa de un espacio de trabajo.',
  model: 'Un modelo, si quieres',
  modelWhy: 'Sin él, las respuestas son frases de tus documentos.',
  connectModel: 'Conectar un modelo',
  modelDone: 'Hay un modelo conectado.',
  install: 'En el teléfono',
  installWhy:
    'Abre esta dirección en el teléfono y elige «Añadir a pantalla de inicio» en el menú del navegador.',
  installNeedsHttps: 'Los teléfonos necesitan para ello una dirección https.',
};
