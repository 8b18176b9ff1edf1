import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { noteChange } from '../../data/live.ts';
import { saveContent } from '../viewer/edit/save-content.ts';

export interface NoteWriter {
  /** The note as it was saved last, once there is one. */
  readonly note: { readonly id: string; readonly version: number } | undefined;
  /** Creates the note, then saves it over and over. Saves one after the other. */
  save(text: string): Promise<string>;
}

/** Where a note is made. */
export interface NewPlace {
  readonly folder: string | undefined;
  readonly isHidden: boolean;
}

export function createNoteWriter({ folder, isHidden }: NewPlace): NoteWriter {
  const key = crypto.randomUUID();
  let note: NoteWriter['note'];
  let saved = '';
  let last: Promise<unknown> = Promise.resolve();

  const write = async (text: string): Promise<string> => {
    if (note && text === saved) return note.id;
    note = note
      ? await saveContent(note.id, { text, version: note.version })
      : await reply(
          api.POST('/v1/objects/notes', {
            params: { header: { 'Idempotency-Key': key } },
            body: {
              content: text,
              ...(folder && { collection_id: folder }),
              ...(isHidden && { is_hidden: true }),
            },
          }),
        );
    saved = text;
    noteChange('objects', 'folders');
    return note.id;
  };
  return {
    get note() {
      return note;
    },
    save(text) {
      const next = last.then(
        () => write(text),
        () => write(text),
      );
      last = next;
      return next;
    },
  };
}
