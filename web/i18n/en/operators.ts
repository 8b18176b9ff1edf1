import { pluralOf } from '../plural.ts';

const plural = pluralOf('en');

export const operators = {
  title: 'State of the service',
  facts: 'Versions, storage and tasks',
  reload: 'Read again',
  forbidden: 'Only the operator may see this',
  forbiddenHint: 'The operator gives the account role for it.',
  versions: 'Versions',
  program: 'Program',
  schema: 'Database schema',
  runtime: 'Node.js',
  profile: 'Profile',
  profiles: {
    standalone: 'One process (standalone)',
    team: 'Several processes (team)',
    memory: 'In memory only (memory)',
  },
  startedAt: 'This process runs since',
  storage: 'Storage',
  storageHint: 'Documents of all owners in their current versions, without hidden ones.',
  place: 'Place',
  places: { folder: 'Folder', bucket: 'Bucket', memory: 'Memory' },
  files: 'Files',
  size: 'Size',
  free: 'Free space',
  unknown: 'unknown',
  queues: 'Background tasks',
  queuesHint: 'Of all owners, by kind.',
  noTasks: 'No task is waiting, running or failed.',
  kind: 'Kind',
  waiting: 'Waiting',
  running: 'Running',
  failed: 'Failed',
  overdue: 'Overdue',
  backup: 'Last backup',
  backupHint: 'Recorded by the command owner-workspace backup in the data folder.',
  backupAt: (moment: string) => `Completed on ${moment}.`,
  noBackup: 'No backup is recorded here.',
  backupOld: 'It is older than two days.',
  damaged: 'A file was missing or damaged.',
  drills: 'Last drills',
  drillsHint:
    'The report of npm run --silent drill -- --json, as status/drills.json in the data folder.',
  noDrills: 'No report of the drills is here.',
  drillsAt: (moment: string) => `Report of ${moment}.`,
  drillsPassed: (count: number) =>
    plural(count, { one: '# drill passed.', other: 'All # drills passed.' }),
  drillsFailed: (count: number) =>
    plural(count, { one: '# drill failed.', other: '# drills failed.' }),
  drillsSkipped: (count: number) =>
    plural(count, { one: '# could not run here.', other: '# could not run here.' }),
  passed: 'passed',
  broke: 'failed',
};
