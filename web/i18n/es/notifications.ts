import type { NotificationsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('es');

export const notificationsText: NotificationsText = {
  title: 'Notificaciones',
  unread: (count) => `${count} sin leer`,
  show: 'Mostrar',
  all: 'Todas',
  onlyUnread: 'Sin leer',
  readAll: 'Marcar todo como leído',
  read: 'Marcar como leída',
  readOne: (what) => `Marcar como leída: ${what}`,
  remove: 'Quitar',
  removeOne: (what) => `Quitar: ${what}`,
  isNew: 'Nueva',
  more: 'Mostrar más',
  today: 'Hoy',
  yesterday: 'Ayer',
  none: 'No hay nada nuevo',
  noneHint:
    'Aquí aparece lo que el servicio hace en tu ausencia, con el camino para llegar a ello.',
  allRead: 'Todo está leído',
  showAll: 'Mostrar todas',
  toAll: 'Todas las notificaciones',
  next: 'Notificación siguiente',
  previous: 'Notificación anterior',
  ready: (name) => `${name} está listo`,
  notReady: (name) => `No se pudo leer ${name}`,
  notSaved: (name) => `No se pudo guardar tu cambio en ${name}`,
  savedEarlier: (name) =>
    `Tu cambio en ${name} se guardó como versión anterior, porque el archivo se modificó en otro lugar`,
  edited: {
    compress: (name) => `Se ha comprimido ${name}`,
    resize: (name) => `Se ha reducido ${name}`,
    rotate: (name) => `Se ha girado ${name}`,
    flip: (name) => `Se ha volteado ${name}`,
    crop: (name) => `Se ha recortado ${name}`,
  },
  editedHint: 'La imagen anterior se puede restaurar desde sus versiones.',
  notEdited: (name) => `No se pudo editar ${name}`,
  unchanged: (name) => `${name} se queda como está`,
  filed: (count) =>
    n(count, {
      one: '# documento puesto en carpetas',
      many: '# de documentos puestos en carpetas',
      other: '# documentos puestos en carpetas',
    }),
  planned: 'Hay un plan listo para ordenar',
  movedOut: 'Tus archivos están en tu bucket',
  movedBack: 'Tus archivos vuelven a estar en el servicio',
  notMoved: 'Algunos de tus archivos no se pudieron mover',
  movedCount: (moved, failed) => {
    const files = n(moved, {
      one: '# archivo movido',
      many: '# de archivos movidos',
      other: '# archivos movidos',
    });
    return failed === 0 ? `${files}.` : `${files}, ${failed} sin mover.`;
  },
  begins: (when) => `Empieza: ${when}`,
  shareOpened: (name) => `El enlace a ${name} se abrió por primera vez`,
  uploaded: (name, folder) => `${name} se subió a ${folder} mediante un enlace`,
  referred: (name) => `${name} ha usado tu código de invitación`,
  modelFailed: 'Tu modelo ya no responde como debería',
  bucketFailed: 'Tu bucket ya no responde como debería',
  botPolled: (name) => `El bot ${name} recoge sus mensajes, porque la plataforma no los entrega`,
  botConflict: (name) => `Otro programa usa el bot ${name}`,
  botRefused: (name) => `El bot ${name} está desconectado`,
  botRefusedHint: 'Conéctalo de nuevo con su token.',
  network: (network) => `red ${network}`,
  security: {
    newPlace: 'Hubo un inicio de sesión desde un lugar nuevo',
    newPlaceHint:
      'Si no fuiste tú, cierra esa sesión, cambia tu contraseña y revisa tus llaves de acceso.',
    copiedPasskey: 'Es posible que se haya copiado una llave de acceso',
    copiedPasskeyHint: 'Si no fuiste tú, quita la llave de acceso.',
    pinLocked: 'El PIN no se puede introducir durante un tiempo',
    pinLockedHint:
      'Se introdujo un PIN incorrecto demasiadas veces. Si no fuiste tú, cierra la sesión que lo hizo.',
    failedSignIns: 'Muchos inicios de sesión han fallado en un día',
    failedSignInsHint:
      'Si no fuiste tú, comprueba que tu contraseña no se usa en ningún otro lugar, o entra solo con una llave de acceso.',
  },
};
