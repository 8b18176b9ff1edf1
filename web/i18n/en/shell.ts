import { pluralOf } from '../plural.ts';

const plural = pluralOf('en');

export const shell = {
  product: 'Owner Workspace',
  workspace: 'Workspace',
  skip: 'Skip to the content',
  places: {
    library: 'Library',
    ask: 'Ask',
    agent: 'Agent',
    calendar: 'Calendar',
    shares: 'Shares',
    notifications: 'Notifications',
    trash: 'Trash',
    settings: 'Settings',
  },
  more: 'More',
  unread: (count: number) => `Notifications: ${count} unread`,
  goTo: (place: string) => `Go to ${place}`,
  firstSteps: 'First five minutes',
  search: 'Search the workspace',
  searchHint: 'Search, or ask a question',
  palette: 'Open the palette',
  add: 'Add',
  account: (name: string) => `${name}: account`,
  hiddenZone: 'Hidden zone',
  signOut: 'Sign out',
  signOutTitle: 'Sign out?',
  unsentFiles: (count: number) =>
    plural(count, {
      one: '# file has not been sent yet. Signing out deletes it from this browser.',
      other: '# files have not been sent yet. Signing out deletes them from this browser.',
    }),
  undo: 'Undo',
  undone: (change: string) => `Undone: ${change}`,
  dismiss: 'Dismiss',
  close: 'Close',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  loading: 'Loading',
  notFound: 'Not found',
  notFoundHere: 'Nothing is at this address.',
};
