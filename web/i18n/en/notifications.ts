import { pluralOf } from '../plural.ts';

const n = pluralOf('en');
const documents = (count: number) => n(count, { one: '# document', other: '# documents' });
const files = (count: number) => n(count, { one: '# file', other: '# files' });

export const notificationsText = {
  title: 'Notifications',
  unread: (count: number) => `${count} unread`,
  show: 'Show',
  all: 'All',
  onlyUnread: 'Unread',
  readAll: 'Mark all as read',
  read: 'Mark as read',
  readOne: (what: string) => `Mark as read: ${what}`,
  remove: 'Remove',
  removeOne: (what: string) => `Remove: ${what}`,
  isNew: 'New',
  more: 'Show more',
  today: 'Today',
  yesterday: 'Yesterday',
  none: 'Nothing new has happened',
  noneHint: 'What the service does while you are away is listed here, with the way to it.',
  allRead: 'Everything is read',
  showAll: 'Show all',
  toAll: 'All notifications',
  next: 'Next notification',
  previous: 'Previous notification',
  ready: (name: string) => `${name} is ready`,
  notReady: (name: string) => `${name} could not be read`,
  notSaved: (name: string) => `Your edit of ${name} could not be saved`,
  savedEarlier: (name: string) =>
    `Your edit of ${name} is stored as an earlier version, because the file was changed elsewhere`,
  edited: {
    compress: (name: string) => `${name} was compressed`,
    resize: (name: string) => `${name} was made smaller`,
    rotate: (name: string) => `${name} was turned`,
    flip: (name: string) => `${name} was mirrored`,
    crop: (name: string) => `${name} was cropped`,
  },
  editedHint: 'The picture as it was can be restored from its versions.',
  notEdited: (name: string) => `${name} could not be edited`,
  unchanged: (name: string) => `${name} stays as it is`,
  filed: (count: number) => `${documents(count)} put into folders`,
  planned: 'A plan for tidying up is ready',
  movedOut: 'Your files are in your bucket',
  movedBack: 'Your files are back with the service',
  notMoved: 'Some of your files could not be moved',
  movedCount: (moved: number, failed: number) =>
    failed === 0 ? `${files(moved)} moved.` : `${files(moved)} moved, ${failed} could not be.`,
  begins: (when: string) => `Begins ${when}`,
  shareOpened: (name: string) => `The link to ${name} was opened for the first time`,
  uploaded: (name: string, folder: string) => `${name} was uploaded to ${folder} through a link`,
  referred: (name: string) => `${name} has used your invitation code`,
  modelFailed: 'Your model no longer responds as it should',
  bucketFailed: 'Your bucket no longer responds as it should',
  botPolled: (name: string) =>
    `The bot ${name} fetches its messages, because the platform does not deliver them`,
  botConflict: (name: string) => `Another program uses the bot ${name}`,
  botRefused: (name: string) => `The bot ${name} is disconnected`,
  botRefusedHint: 'Register it again with its token.',
  network: (network: string) => `network ${network}`,
  security: {
    newPlace: 'There was a sign-in from a new place',
    newPlaceHint:
      'If that was not you, end this session, change your password and check your passkeys.',
    copiedPasskey: 'A passkey may have been copied',
    copiedPasskeyHint: 'If that was not you, remove the passkey.',
    pinLocked: 'The PIN can not be entered for a while',
    pinLockedHint:
      'A wrong PIN was entered too often. If that was not you, end the session that did it.',
    failedSignIns: 'Many sign-ins have failed within a day',
    failedSignInsHint:
      'If that was not you, check that your password is used nowhere else, or sign in with a passkey only.',
  },
};
