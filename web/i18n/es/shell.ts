import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('es');

export const shell: Messages['shell'] = {
  product: 'Owner Workspace',
  workspace: 'Espacio de trabajo',
  skip: 'Ir al contenido',
  places: {
    library: 'Biblioteca',
    ask: 'Preguntar',
    agent: 'Agente',
    calendar: 'Calendario',
    shares: 'Compartidos',
    notifications: 'Notificaciones',
    trash: 'Papelera',
    settings: 'Ajustes',
  },
  more: 'Más',
  unread: (count: number) => `Notificaciones sin leer: ${count}`,
  goTo: (place: string) => `Ir a ${place}`,
  firstSteps: 'Los primeros cinco minutos',
  search: 'Buscar en el espacio',
  searchHint: 'Buscar o hacer una pregunta',
  palette: 'Abrir la paleta',
  add: 'Añadir',
  account: (name: string) => `${name}: cuenta`,
  hiddenZone: 'Zona oculta',
  signOut: 'Cerrar sesión',
  signOutTitle: '¿Cerrar sesión?',
  unsentFiles: (count: number) =>
    plural(count, {
      one: '# archivo aún no se ha enviado. Al cerrar sesión se elimina de este navegador.',
      many: '# de archivos aún no se han enviado. Al cerrar sesión se eliminan de este navegador.',
      other: '# archivos aún no se han enviado. Al cerrar sesión se eliminan de este navegador.',
    }),
  undo: 'Deshacer',
  undone: (change: string) => `Deshecho: ${change}`,
  dismiss: 'Descartar',
  close: 'Cerrar',
  cancel: 'Cancelar',
  tryAgain: 'Reintentar',
  loading: 'Cargando',
  notFound: 'No encontrado',
  notFoundHere: 'No hay nada en esta dirección.',
};
