import type { OperatorsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('es');

export const operators: OperatorsText = {
  title: 'Estado del servicio',
  facts: 'Versiones, almacenamiento y tareas',
  reload: 'Leer de nuevo',
  forbidden: 'Solo el operador puede ver esto',
  forbiddenHint: 'El operador asigna el rol de cuenta necesario.',
  versions: 'Versiones',
  program: 'Programa',
  schema: 'Esquema de la base de datos',
  runtime: 'Node.js',
  profile: 'Perfil',
  profiles: {
    standalone: 'Un solo proceso (standalone)',
    team: 'Varios procesos (team)',
    memory: 'Solo en memoria (memory)',
  },
  startedAt: 'Este proceso funciona desde',
  storage: 'Almacenamiento',
  storageHint: 'Documentos de todas las cuentas en su versión actual, sin los ocultos.',
  place: 'Lugar',
  places: { folder: 'Carpeta', bucket: 'Bucket', memory: 'Memoria' },
  files: 'Archivos',
  size: 'Tamaño',
  free: 'Espacio libre',
  unknown: 'desconocido',
  queues: 'Tareas en segundo plano',
  queuesHint: 'De todas las cuentas, por tipo.',
  noTasks: 'No hay tareas en espera, en curso ni fallidas.',
  kind: 'Tipo',
  waiting: 'En espera',
  running: 'En curso',
  failed: 'Fallidas',
  overdue: 'Retraso',
  backup: 'Última copia de seguridad',
  backupHint: 'Anotada por el comando owner-workspace backup en la carpeta de datos.',
  backupAt: (moment) => `Terminada: ${moment}.`,
  noBackup: 'Aquí no hay anotada ninguna copia de seguridad.',
  backupOld: 'Tiene más de dos días.',
  damaged: 'Faltaba un archivo o estaba dañado.',
  drills: 'Últimos simulacros de fallo',
  drillsHint:
    'El informe de npm run --silent drill -- --json, como status/drills.json en la carpeta de datos.',
  noDrills: 'Aquí no hay ningún informe de simulacros.',
  drillsAt: (moment) => `Informe: ${moment}.`,
  drillsPassed: (count) =>
    plural(count, {
      one: '# simulacro superado.',
      many: '# de simulacros superados.',
      other: 'Los # simulacros superados.',
    }),
  drillsFailed: (count) =>
    plural(count, {
      one: '# simulacro fallido.',
      many: '# de simulacros fallidos.',
      other: '# simulacros fallidos.',
    }),
  drillsSkipped: (count) =>
    plural(count, {
      one: '# no se pudo hacer aquí.',
      many: '# no se pudieron hacer aquí.',
      other: '# no se pudieron hacer aquí.',
    }),
  passed: 'superado',
  broke: 'fallido',
};
