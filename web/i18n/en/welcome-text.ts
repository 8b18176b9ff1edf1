import { pluralOf } from '../plural.ts';

const n = pluralOf('en');

/** Loaded with the first steps, since few visits need them. */
export const welcomeText = {
  greetings: { morning: 'Good morning', day: 'Good afternoon', evening: 'Good evening' },
  greeting: (greeting: string, name: string) => `${greeting}, ${name}`,
  steps: 'Steps',
  notNow: 'Not now',
  done: 'Done',
  drop: 'Drop files or a whole folder anywhere, paste a picture, or choose',
  kinds: 'PDF, office, mail, books, pictures, tables, text.',
  nothingLeaves: 'Nothing leaves this server.',
  firstFiles: 'First files',
  noFiles: 'Choose some that you know well.',
  cameIn: (count: number) => n(count, { one: '# file came in', other: '# files came in' }),
  areRead: (count: number) => n(count, { one: '# is read', other: '# are read' }),
  read: (type: string) => `Read: ${type}`,
  waits: 'Waits to be read',
  askFirst: 'Ask them something',
  ownWords: 'Answers are sentences of your documents, each with its place.',
  nothingToAsk: 'No date, amount or name was found in them. Ask a question of your own.',
  ownQuestion: 'Ask a question of your own',
  preparing: 'Looking for questions',
  youAreIn: 'You are signed in',
  linkUsed: 'The link from the terminal works once.',
  region: (language: string, zone: string) => `Language and time zone: ${language}, ${zone}.`,
  change: 'Change',
  passkey: 'Make a passkey',
  passkeyWhy: 'Then this device needs no link again.',
  passkeyMade: 'This account has a passkey.',
  firstQuestion: 'First question',
  chooseQuestion: 'Choose one, or write your own.',
  questionAsked: 'Its answer is in Ask.',
  afterFirstFile: 'When the first file is read, questions are proposed.',
  filing: 'Let them be filed',
  filingWhy: 'A plan is shown before anything moves.',
  filingLater: (count: number) =>
    n(count, { one: 'With # file or more.', other: 'With # files or more.' }),
  filingDone: 'The documents are in folders.',
  makePlan: 'See a plan',
  elsewhere: 'Coming from elsewhere?',
  elsewhereWhy:
    'Files and folders come in as they are. An export of another workspace comes in as one ZIP file.',
  chooseExport: 'Choose an export',
  bringingIn: 'Bringing in the export',
  broughtIn: (count: number) =>
    n(count, { one: '# document came with it.', other: '# documents came with it.' }),
  badExport: 'This is not a complete export of a workspace.',
  model: 'A model, if wanted',
  modelWhy: 'Without one, answers are sentences of your documents.',
  connectModel: 'Connect a model',
  modelDone: 'A model is connected.',
  install: 'On the phone',
  installWhy:
    'Open this address on the phone and choose “Add to home screen” in the menu of its browser.',
  installNeedsHttps: 'Phones need an https address for that.',
};
