import type { RolesText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('es');

export const roles: RolesText = {
  title: 'Funciones del agente',
  hint: 'Una función dice cómo se comporta el agente y qué herramientas tiene. Se usa una a la vez.',
  builtIn: 'Incluidas',
  builtInHint: 'No se pueden cambiar.',
  own: 'Propias',
  ownHint: 'Con instrucciones y herramientas que tú eliges.',
  noOwn: 'Todavía no hay ninguna.',
  builtInRoles: {
    assistant: {
      name: 'Asistente',
      description:
        'Responde a partir de tus documentos, escribe notas y se ocupa de tu calendario.',
    },
    librarian: {
      name: 'Bibliotecario',
      description: 'Encuentra documentos, los pone en carpetas y les da buenos nombres.',
    },
    planner: {
      name: 'Planificador',
      description:
        'Conoce tu calendario, encuentra fechas en los documentos y planea lo que viene.',
    },
  },
  toolsets: {
    objects: 'Buscar y leer documentos',
    notes: 'Escribir notas',
    calendar: 'Mirar el calendario y crear eventos',
    organize: 'Mover y renombrar documentos',
  },
  noTools: 'ninguna herramienta',
  tools: 'Herramientas',
  toolsHint: 'Ninguna función puede eliminar, compartir, ocultar ni enviar nada.',
  inUse: 'En uso',
  use: 'Usar',
  useRole: (name: string) => `Usar: ${name}`,
  used: (name: string) => `Función en uso: ${name}`,
  showInstructions: 'Instrucciones',
  create: 'Crear una función',
  created: (name: string) => `Función creada: ${name}`,
  edit: 'Editar',
  editRole: (name: string) => `Editar: ${name}`,
  editTitle: 'Editar la función',
  saved: (name: string) => `Función cambiada: ${name}`,
  save: 'Guardar',
  saving: 'Guardando',
  delete: 'Eliminar',
  deleteRole: (name: string) => `Eliminar: ${name}`,
  deleteTitle: (name: string) => `¿Eliminar ${name}?`,
  deleteDo: 'Eliminar la función',
  deleteHint: 'No se puede deshacer. Las conversaciones se quedan.',
  deleted: 'Función eliminada',
  name: 'Nombre',
  slug: 'Nombre corto',
  slugHint: 'Para programas. Minúsculas, cifras y guiones; después no se puede cambiar.',
  description: 'Para qué sirve',
  persona: 'Instrucciones',
  personaHint: 'Qué hace, cómo se comporta, a qué presta atención.',
  problems: {
    empty: 'Rellena este campo.',
    tooLong: (limit: number) =>
      plural(limit, {
        one: 'Como máximo # carácter.',
        many: 'Como máximo # caracteres.',
        other: 'Como máximo # caracteres.',
      }),
    slug: 'Solo minúsculas, cifras y guiones, como máximo 63, sin guion al principio.',
    taken: 'Este nombre corto ya está en uso.',
    notAllowed: 'Hay caracteres que no se pueden guardar.',
  },
};
