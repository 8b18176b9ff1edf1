import type { ViewerText } from '../messages.ts';

export const viewerText: ViewerText = {
  editor: 'Editor de oficina',
  opening: 'Abriendo el editor',
  readOnly:
    'El editor solo muestra los archivos de este formato. Guárdalo en un formato más reciente para editarlo.',
  whenStored: 'Los cambios se guardan como versión al cerrar el editor.',
  unsent: 'Enviando tus cambios',
  stored: (version) => `Tus cambios están guardados como versión ${version}.`,
  newer: (version) =>
    `La versión ${version} se añadió en otro lugar. Lo que guardes aquí se guarda aparte.`,
  outdated: 'El documento tiene una versión más reciente que la del editor.',
  openAgain: 'Abrir la más reciente',
  failed: 'El editor informa de un error. Ábrelo de nuevo si no continúa.',
  missing: 'No se pudo cargar el editor desde el servidor de documentos.',
  off: {
    switched_off:
      'No hay ningún servidor de documentos conectado, por lo que el archivo no se puede editar aquí.',
    engine_unavailable:
      'El servidor de documentos no responde, por lo que el archivo no se puede editar ahora.',
    unsupported_format: 'El servidor de documentos no abre archivos de este formato.',
  },
  onlyText: 'Este es el texto que se leyó de él.',
  otherwise: 'Descarga el archivo, edítalo en otro programa y añádelo como versión.',
  newerVersion: (version) => `La versión ${version} es más reciente.`,
  isEarlier: (version) => `Esta es la versión ${version}, de la que se citan las palabras.`,
  toNewest: 'Mostrar la más reciente',
};
