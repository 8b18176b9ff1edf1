/** Loaded by the parts of the viewer that few visits need. */
export const viewerText = {
  editor: 'Office editor',
  opening: 'Opening the editor',
  readOnly: 'The editor only shows files of this format. Save it in a newer format to edit it.',
  whenStored: 'Changes are stored as a version when the editor is closed.',
  unsent: 'Sending your changes',
  stored: (version: number) => `Your changes are stored as version ${version}.`,
  newer: (version: number) =>
    `Version ${version} was added elsewhere. What you save here is stored beside it.`,
  outdated: 'The document has a newer version than the one in the editor.',
  openAgain: 'Open the newest',
  failed: 'The editor reports an error. If it does not go on, open it again.',
  missing: 'The editor could not be loaded from the document server.',
  off: {
    switched_off: 'No document server is connected, so the file itself can not be edited here.',
    engine_unavailable:
      'The document server does not respond, so the file itself can not be edited now.',
    unsupported_format: 'The document server does not open files of this format.',
  },
  onlyText: 'This is the text that was read of it.',
  otherwise: 'Download the file, edit it in another program, and add it as a version.',
  newerVersion: (version: number) => `Version ${version} is newer.`,
  isEarlier: (version: number) => `This is version ${version}, from which the words are cited.`,
  toNewest: 'Show the newest',
};
