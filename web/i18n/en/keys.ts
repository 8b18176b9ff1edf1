export const keys = {
  help: 'Keyboard shortcuts',
  groups: {
    everywhere: 'Everywhere',
    go: 'Go to',
    add: 'Add',
    list: 'In lists',
    document: 'In a document',
    answer: 'In an answer',
    calendar: 'In the calendar',
  },
};
