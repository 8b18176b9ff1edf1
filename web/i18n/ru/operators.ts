import type { OperatorsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('ru');

export const operators: OperatorsText = {
  title: 'Состояние сервиса',
  facts: 'Версии, хранилище и задачи',
  reload: 'Прочитать снова',
  forbidden: 'Это видит только оператор',
  forbiddenHint: 'Нужную роль учётной записи даёт оператор.',
  versions: 'Версии',
  program: 'Программа',
  schema: 'Схема базы данных',
  runtime: 'Node.js',
  profile: 'Профиль',
  profiles: {
    standalone: 'Один процесс (standalone)',
    team: 'Несколько процессов (team)',
    memory: 'Только в памяти (memory)',
  },
  startedAt: 'Этот процесс работает с',
  storage: 'Хранилище',
  storageHint: 'Документы всех владельцев в текущих версиях, без скрытых.',
  place: 'Место',
  places: { folder: 'Папка', bucket: 'Бакет', memory: 'Память' },
  files: 'Файлы',
  size: 'Размер',
  free: 'Свободно',
  unknown: 'неизвестно',
  queues: 'Фоновые задачи',
  queuesHint: 'Всех владельцев, по видам.',
  noTasks: 'Нет ожидающих, выполняемых или неудачных задач.',
  kind: 'Вид',
  waiting: 'Ждут',
  running: 'Идут',
  failed: 'Не удались',
  overdue: 'Просрочка',
  backup: 'Последняя резервная копия',
  backupHint: 'Отмечена командой owner-workspace backup в папке данных.',
  backupAt: (moment) => `Готова: ${moment}.`,
  noBackup: 'Здесь не отмечено ни одной копии.',
  backupOld: 'Ей больше двух дней.',
  damaged: 'Файл отсутствовал или был повреждён.',
  drills: 'Последние учения',
  drillsHint: 'Отчёт npm run --silent drill -- --json в файле status/drills.json папки данных.',
  noDrills: 'Отчёта об учениях здесь нет.',
  drillsAt: (moment) => `Отчёт: ${moment}.`,
  drillsPassed: (count) =>
    plural(count, {
      one: 'Пройдено # учение.',
      few: 'Пройдены все # учения.',
      many: 'Пройдены все # учений.',
      other: 'Пройдены все # учения.',
    }),
  drillsFailed: (count) =>
    plural(count, {
      one: 'Не пройдено # учение.',
      few: 'Не пройдено # учения.',
      many: 'Не пройдено # учений.',
      other: 'Не пройдено # учения.',
    }),
  drillsSkipped: (count) =>
    plural(count, {
      one: '# здесь провести нельзя.',
      few: '# здесь провести нельзя.',
      many: '# здесь провести нельзя.',
      other: '# здесь провести нельзя.',
    }),
  passed: 'пройдено',
  broke: 'не пройдено',
};
