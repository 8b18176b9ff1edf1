import type { OperatorsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('fr');

export const operators: OperatorsText = {
  title: 'État du service',
  facts: 'Versions, stockage et tâches',
  reload: 'Relire',
  forbidden: 'Seul l’exploitant peut voir ceci',
  forbiddenHint: 'L’exploitant attribue le rôle de compte nécessaire.',
  versions: 'Versions',
  program: 'Programme',
  schema: 'Schéma de la base de données',
  runtime: 'Node.js',
  profile: 'Profil',
  profiles: {
    standalone: 'Un seul processus (standalone)',
    team: 'Plusieurs processus (team)',
    memory: 'En mémoire seulement (memory)',
  },
  startedAt: 'Ce processus tourne depuis',
  storage: 'Stockage',
  storageHint:
    'Documents de tous les comptes dans leur version actuelle, sans ceux qui sont masqués.',
  place: 'Emplacement',
  places: { folder: 'Dossier', bucket: 'Bucket', memory: 'Mémoire' },
  files: 'Fichiers',
  size: 'Taille',
  free: 'Espace libre',
  unknown: 'inconnu',
  queues: 'Tâches de fond',
  queuesHint: 'De tous les comptes, par type.',
  noTasks: 'Aucune tâche n’est en attente, en cours ou en échec.',
  kind: 'Type',
  waiting: 'En attente',
  running: 'En cours',
  failed: 'En échec',
  overdue: 'Retard',
  backup: 'Dernière sauvegarde',
  backupHint: 'Notée par la commande owner-workspace backup dans le dossier de données.',
  backupAt: (moment) => `Terminée : ${moment}.`,
  noBackup: 'Aucune sauvegarde n’est notée ici.',
  backupOld: 'Elle date de plus de deux jours.',
  damaged: 'Un fichier manquait ou était endommagé.',
  drills: 'Derniers exercices de panne',
  drillsHint:
    'Le rapport de npm run --silent drill -- --json, sous status/drills.json dans le dossier de données.',
  noDrills: 'Aucun rapport d’exercice ici.',
  drillsAt: (moment) => `Rapport : ${moment}.`,
  drillsPassed: (count) =>
    plural(count, {
      one: '# exercice réussi.',
      many: '# d’exercices réussis.',
      other: 'Les # exercices ont réussi.',
    }),
  drillsFailed: (count) =>
    plural(count, {
      one: '# exercice a échoué.',
      many: '# d’exercices ont échoué.',
      other: '# exercices ont échoué.',
    }),
  drillsSkipped: (count) =>
    plural(count, {
      one: '# n’a pas pu être mené ici.',
      many: '# n’ont pas pu être menés ici.',
      other: '# n’ont pas pu être menés ici.',
    }),
  passed: 'réussi',
  broke: 'échoué',
};
