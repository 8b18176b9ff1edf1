import type { ConnectionsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('es');

export const connections: ConnectionsText = {
  kinds: { llm: 'Modelo', s3: 'Bucket propio' },
  notConnected: 'Sin conectar.',
  trying: 'Probando, 10 segundos como máximo',
  tried: (moment) => `Probado: ${moment}`,
  triedWithKey: (moment, end) => `Probado: ${moment}, con la clave que termina en ${end}`,
  off: 'Desactivado.',
  offStays: 'Los ajustes quedan guardados.',
  switchOff: 'Desactivar',
  switchOn: 'Activar',
  switchedOn: { llm: 'Modelo activado', s3: 'Bucket activado' },
  switchedOff: { llm: 'Modelo desactivado', s3: 'Bucket desactivado' },
  saveAndTry: 'Guardar y probar',
  forget: { llm: 'Olvidar el modelo', s3: 'Olvidar el bucket' },
  forgetTitle: { llm: '¿Olvidar el modelo?', s3: '¿Olvidar el bucket?' },
  forgetHint: {
    llm: 'Su dirección y su clave se borran aquí. Tus documentos quedan como están.',
    s3: 'Su dirección y sus claves se borran aquí. Tus archivos quedan en el servicio.',
  },
  forgotten: { llm: 'El modelo está olvidado.', s3: 'El bucket está olvidado.' },
  inUse: (files) =>
    files === 0
      ? 'En el bucket hay archivos tuyos. Tráelos primero de vuelta; después podrás olvidarlo.'
      : n(files, {
          one: 'En el bucket hay # archivo tuyo. Tráelo primero de vuelta; después podrás olvidarlo.',
          many: 'En el bucket hay # de archivos tuyos. Tráelos primero de vuelta; después podrás olvidarlo.',
          other:
            'En el bucket hay # archivos tuyos. Tráelos primero de vuelta; después podrás olvidarlo.',
        }),
  moveAllBack: 'Traer los archivos de vuelta',
  fails: { llm: 'No responde.', s3: 'No se puede usar.' },
  ownMachine: '«localhost» es la máquina, o el contenedor, donde funciona este servicio.',
  privateBefore:
    'Esta dirección está en una red privada. Para permitirla, el operador la incluye en',
  privateAfter: '.',
  codes: {
    in_use:
      'En el bucket hay archivos tuyos. Tráelos de vuelta antes de conectar otro o de olvidarlo.',
    already_running: 'Ya se están moviendo archivos.',
    not_configured: 'Aquí ya no hay nada conectado.',
  },
  fieldErrors: {
    base_url: 'Escribe una dirección completa, como http://localhost:11434/v1, sin ? ni #.',
    model: 'Escribe el nombre del modelo, de 200 caracteres como máximo.',
    context_tokens: 'Escribe un número entero de 512 a 2 000 000.',
    temperature: 'Escribe un número de 0 a 2.',
    secret: 'Una clave tiene letras latinas, cifras y signos, sin espacios.',
    endpoint: 'Escribe solo protocolo, servidor y puerto, como https://s3.example.net.',
    region: 'Escribe la región como la escribe tu proveedor, por ejemplo eu-central-1.',
    bucket: 'Escribe el nombre del bucket: minúsculas, cifras, puntos y guiones.',
    prefix: 'Escribe nombres unidos por barras: letras, cifras y . _ ~ -',
    access_key_id: 'Escribe la clave de acceso como la muestra tu proveedor.',
  },
  service: 'Servicio',
  otherService: 'Otro',
  address: 'Dirección',
  addressHint:
    'Cualquier servicio con «chat completions» como las de OpenAI. Otro servidor borra la clave guardada.',
  llamaHint:
    'Inicia llama-server con --port 8081: su puerto habitual, el 8080, es el de este servicio.',
  model: 'Modelo',
  modelHint:
    'Responde con sus propias palabras, lleva a cabo los encargos y describe lo que llega. Sin modelo, las respuestas son frases de tus documentos.',
  forExample: (name) => `Por ejemplo ${name}`,
  answers: 'Responde:',
  notes: {
    no_streaming: 'Responde sin streaming: la respuesta aparece cuando está completa.',
    no_system_role: 'No tiene mensajes de sistema: las reglas van con el primer mensaje.',
    no_tools: 'No tiene herramientas: el agente necesita otro modelo.',
    no_json_mode: 'No tiene modo JSON: algunos de sus resultados pueden no servir.',
    no_temperature: 'No acepta temperatura: la tuya no se envía.',
    open_reasoning: 'Razona en el texto: la respuesta aparece cuando ha terminado.',
  },
  waitingDocuments: (count: number) =>
    n(count, {
      one: '# documento espera: el modelo estaba ocupado. Se describirá en cuanto el modelo responda.',
      many: '# de documentos esperan: el modelo estaba ocupado. Se describirán en cuanto el modelo responda.',
      other:
        '# documentos esperan: el modelo estaba ocupado. Se describirán en cuanto el modelo responda.',
    }),
  contextTokens: 'Capacidad, en tokens',
  key: 'Clave',
  stored: (end) => `Guardada, termina en ${end}`,
  keyHint: 'La clave de tu cuenta allí. Se guarda cifrada y no se vuelve a mostrar.',
  keyLocalHint: 'Ninguna, salvo que el servidor se haya iniciado con una. No se vuelve a mostrar.',
  more: 'Más ajustes',
  temperature: 'Temperatura',
  temperatureHint: 'De 0 a 2. Déjala vacía si el modelo la rechaza.',
  costsNothing:
    'Funciona en tu propia red, así que ningún proveedor te cobra. Este servicio no cuenta su uso.',
  costs: (host) =>
    `El proveedor de ${host} te cobra cada pregunta y cada documento que describe. Este servicio no conoce sus precios ni cuenta su uso.`,
  operatorAnswers: 'Hasta entonces responde el modelo del operador. Su uso cuenta para tu plan:',
  questionsUsed: (used) => `${used} preguntas este mes.`,
  questionsOf: (used, limit) => `${used} de ${limit} preguntas este mes.`,
  bucketHint:
    'Los archivos nuevos van a un bucket tuyo y los anteriores se pueden mover allí. Sin bucket, los archivos quedan en el servicio.',
  newFilesBefore: 'Los archivos nuevos van a',
  filesBefore: 'Desactivado:',
  newFilesAfter: (host) => `, en ${host}.`,
  bucketWorks: 'Se ha escrito, leído y borrado un archivo.',
  bucketSettings: 'Ajustes del bucket',
  endpoint: 'Punto de acceso',
  endpointHint: 'Protocolo, servidor y puerto. Otro borra el secreto guardado.',
  bucket: 'Bucket',
  region: 'Región',
  accessKey: 'Clave de acceso',
  secret: 'Secreto',
  secretHint: 'Vacío: queda el guardado. No se vuelve a mostrar.',
  prefix: 'Carpeta en el bucket',
  prefixHint: 'Puede quedar vacía. Nada más debería escribir allí.',
  pathStyle: 'El bucket figura',
  pathStyles: { auto: 'donde es habitual', path: 'en la ruta', host: 'en el nombre del servidor' },
  migration: 'Mover archivos',
  moving: {
    out: 'Moviendo archivos al bucket',
    back: 'Trayendo archivos de vuelta del bucket',
  },
  since: (moment) => `desde ${moment}`,
  moved: 'movidos',
  toGo: 'pendientes',
  didNotGo: 'sin mover',
  stop: 'Parar tras este archivo',
  stopping: 'Se para tras este archivo',
  waits: 'Espera y sigue por sí solo.',
  eachFile:
    'Cada archivo se copia, se compara y solo entonces se quita de donde estaba. Mientras tanto puedes cerrar esta página.',
  endedEarly: 'El traslado terminó antes de tiempo.',
  couldNotGo: (count) =>
    n(count, {
      one: '# archivo no se pudo mover tras tres intentos.',
      many: '# de archivos no se pudieron mover tras tres intentos.',
      other: '# archivos no se pudieron mover tras tres intentos.',
    }),
  stayWhole: 'Lo que falta queda donde está, e íntegro.',
  tryThemAgain: 'Intentarlo de nuevo',
  allMoved: {
    out: 'Todos los archivos están en el bucket.',
    back: 'Todos los archivos están de vuelta en el servicio.',
  },
  stopped: 'El traslado se ha parado. Cada archivo está donde estuvo por última vez.',
  noFiles: 'Todavía no hay archivos que mover.',
  inBucket: 'en el bucket',
  atService: 'en el servicio',
  storedInAll: (size) => `Tu espacio ocupa ${size} en total.`,
  backSwitchesOff: 'Traerlos de vuelta desactiva el bucket para los archivos nuevos.',
  moveOut: (count) =>
    n(count, {
      one: 'Mover # archivo al bucket',
      many: 'Mover # de archivos al bucket',
      other: 'Mover # archivos al bucket',
    }),
  moveBack: (count) =>
    n(count, {
      one: 'Traer de vuelta # archivo',
      many: 'Traer de vuelta # de archivos',
      other: 'Traer de vuelta # archivos',
    }),
  leaves: 'Lo que sale de esta máquina',
  questions: 'Preguntas y pasajes',
  toOwnModel: (model, host) => `a ${model} en ${host}, en tu propia red`,
  toModel: (model, host) => `a ${model} en ${host}`,
  toOperatorModel: 'al modelo que ha conectado el operador',
  answeredHere: 'a ningún modelo: las respuestas se hacen aquí',
  documents: 'Documentos, para describirlos',
  described:
    'al mismo, hasta 10 000 tokens de cada uno; nunca lo oculto ni lo que está en la papelera',
  describedHere: 'a ningún modelo: se describen aquí',
  pictures: 'Escaneos e imágenes',
  readHere: 'a ningún servicio: su texto se lee aquí',
  files: 'Archivos',
  filesTo: (bucket, host) => `a ${bucket} en ${host}`,
  filesThere: (count, bucket, host) =>
    n(count, {
      one: `los nuevos quedan en este servicio; # sigue en ${bucket} en ${host}`,
      many: `los nuevos quedan en este servicio; # siguen en ${bucket} en ${host}`,
      other: `los nuevos quedan en este servicio; # siguen en ${bucket} en ${host}`,
    }),
  filesStay: 'a ningún bucket: quedan en este servicio',
  officeFiles: 'Archivos de oficina, mientras los editas',
  toDocumentServer: 'al servidor de documentos que ha conectado el operador',
  toNoDocumentServer: 'a ningún servidor de documentos: no hay ninguno conectado',
  reminders: 'Recordatorios y mensajes',
  toTelegram: (bots) => `por Telegram, con ${bots}`,
  toNoMessenger: 'a ninguna mensajería: no hay ningún bot conectado',
  links: 'Páginas de los enlaces que añades',
  linksFetched: 'se obtienen de la web',
  shared: 'Lo que compartes',
  sharedTo: 'lo ven quienes tienen el enlace',
  nothingElse: 'Nada más',
  appLoadsNothing: 'Esta aplicación no carga nada de otro sitio.',
  officeEditor: 'Editor',
  officeHint:
    'Textos, hojas de cálculo y presentaciones se abren en un editor. Lo que guarda se convierte en una versión nueva.',
  officeOff: 'No hay ningún servidor de documentos conectado.',
  officeOffMeans:
    'Los archivos de oficina se muestran como texto, se pueden descargar y vuelven como versiones nuevas.',
  officeOperator:
    'El operador conecta ONLYOFFICE Docs, o un servidor con la misma interfaz, mediante:',
  officeVariables: {
    OFFICE_URL:
      'la dirección del servidor de documentos, la misma para este servicio y los navegadores',
    OFFICE_JWT_SECRET: 'su secreto, de al menos 32 bytes',
    OFFICE_ENABLED: 'no «false»',
  },
  officeWorks: 'El editor funciona.',
  officeWorksMeans: 'Elige «Editar» en un archivo de oficina.',
  officeFails: 'El servidor de documentos no responde.',
  selftest: 'Autoprueba',
  selftestHint:
    'El camino de un documento al editor y de vuelta, tramo a tramo. Dura menos de un minuto.',
  selftestStart: 'Probar cada tramo',
  selftestAgain: 'Probar cada tramo de nuevo',
  selftestRuns: 'Probando cada tramo, un minuto como máximo',
  selftestPassed: 'Todos los tramos funcionan.',
  selftestFailed: 'Un documento no consigue pasar.',
  hopWorks: 'funciona',
  hopFails: 'no funciona',
  hopNotTried: 'sin probar',
  hops: {
    engine: {
      title: 'Este servicio llega al servidor de documentos',
      advice: 'El operador comprueba OFFICE_URL, y si el servidor ha terminado de arrancar.',
    },
    secret: {
      title: 'Ambos tienen el mismo secreto',
      advice: 'OFFICE_JWT_SECRET tiene que ser el JWT_SECRET del servidor de documentos.',
    },
    addresses: {
      title: 'El servidor de documentos llega a este servicio',
      advice:
        'PUBLIC_URL tiene que ser una dirección a la que llegue el servidor de documentos. Para una privada necesita ALLOW_PRIVATE_IP_ADDRESS=true.',
    },
  },
};
