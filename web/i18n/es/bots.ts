import type { BotsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('es');

export const bots: BotsText = {
  title: 'Bots conectados',
  hint: 'Un bot te envía recordatorios en Telegram y muestra los grupos en los que está, con los miembros que conoce.',
  none: 'Aún no hay ningún bot conectado.',
  connect: 'Conectar un bot',
  connectHint: 'Crea un bot con @BotFather en Telegram e introduce el token que recibas.',
  token: 'Token del bot',
  badToken: 'Telegram no acepta este token. Cópialo de nuevo desde @BotFather.',
  connecting: 'Conectando',
  connected: (name) => `${name} está conectado.`,
  ofOther: 'De otra persona de este espacio de trabajo',
  linked: 'Envía tus recordatorios a tu chat con él',
  notLinked: 'Todavía no puede escribirte',
  linkTitle: 'Recibir aquí tus recordatorios',
  linkFirst: 'Abre tu chat privado con el bot y pulsa Iniciar:',
  linkSecond: 'O envíale tú este mensaje:',
  openChat: 'Abrir el chat en Telegram',
  copyMessage: 'Copiar el mensaje',
  copied: 'Copiado.',
  notCopied: 'El navegador no permitió copiar. Selecciona el texto.',
  codeOnce: 'El código sirve una sola vez. Quien lo tenga puede recibir tus recordatorios.',
  linkOther: 'Usar otro chat',
  groups: 'Grupos',
  noGroups: 'El bot no está en ningún grupo. Añádelo a uno en Telegram y aparecerá aquí.',
  knownOf: (known, total) =>
    plural(total, {
      one: `${known} de # miembro conocido`,
      many: `${known} de # de miembros conocidos`,
      other: `${known} de # miembros conocidos`,
    }),
  known: (known) =>
    plural(known, {
      one: '# miembro conocido',
      many: '# de miembros conocidos',
      other: '# miembros conocidos',
    }),
  heard: (moment) => `último mensaje: ${moment}`,
  notHeard: 'aún sin mensajes',
  synced: (moment) => `actualizado: ${moment}`,
  mayWrite: 'Puede escribir primero',
  mayWriteHint: 'Sin este permiso, un bot solo escribe en un grupo cuando alguien se dirige a él.',
  allowed: (group) => `El bot puede escribir primero en ${group}.`,
  forbade: (group) => `El bot ya no escribe primero en ${group}.`,
  members: 'Miembros',
  hideMembers: 'Ocultar los miembros',
  noMembers: 'El bot aún no conoce a ningún miembro.',
  roles: {
    creator: 'creó el grupo',
    administrator: 'administración',
    member: 'miembro',
    restricted: 'restringido',
  },
  sources: {
    message: 'conocido por un mensaje',
    admin_list: 'conocido por la lista de administradores',
    join: 'conocido por su entrada',
    member_update: 'conocido por un cambio en el grupo',
  },
  sync: 'Actualizar',
  syncing: 'Actualizando',
  updated: (group) => `${group} está al día.`,
  more: 'Mostrar más',
  folder: 'Carpeta del grupo',
  remove: 'Quitar',
  removeTitle: (name) => `¿Quitar ${name}?`,
  removeHint:
    'El servicio olvida su token, sus grupos y sus miembros, y deja de enviar recordatorios con él. En Telegram, el bot sigue existiendo.',
  removeBot: 'Quitar el bot',
  removed: (name) => `${name} se ha quitado.`,
  codes: {
    bot_exists: 'Otra persona ya ha conectado este bot.',
    too_many_bots: 'No se pueden conectar más bots. Quita uno primero.',
    bot_not_in_chat: 'Telegram no da al bot información sobre este grupo. ¿Sigue siendo miembro?',
    bot_token_rejected:
      'Telegram ya no acepta el token de este bot. Conéctalo de nuevo con su token nuevo.',
    upstream_failed: 'Telegram rechazó la solicitud. Inténtalo más tarde.',
    forbidden: 'Solo puede hacerlo quien conectó el bot.',
  },
};
