import { dayKey, formatTime } from '../i18n/format.ts';
import { add, currentDestination } from './destination.ts';
import { droppedFiles, type Dropped } from './dropped-files.ts';
import { offeredText } from './offered-text.ts';

const MAX_TEXT_LENGTH = 1_000_000;

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, dialog') !== null);

/** Adds what is pasted outside of fields. */
export function handlePaste(event: ClipboardEvent): void {
  const { clipboardData: data, target } = event;
  if (!data || isField(target) || document.querySelector('dialog[open]')) return;
  const destination = currentDestination();
  if (data.types.includes('Files')) {
    event.preventDefault();
    void droppedFiles(data).then((dropped) => add(named(dropped), destination));
    return;
  }
  const text = data.getData('text/plain');
  if (!text.trim() || text.length > MAX_TEXT_LENGTH) return;
  event.preventDefault();
  offeredText.value = { text, origin: 'pasted', destination };
}

/** Browsers name every picture of the clipboard the same. */
function named({ files, hasFolders }: Dropped): Dropped {
  const now = Date.now();
  const moment = `${dayKey(now)} ${formatTime(new Date(now).toISOString()).replaceAll(':', '.')}`;
  const rename = (file: File) =>
    file.name === 'image.png' ? new File([file], `${moment}.png`, { type: file.type }) : file;
  return { files: files.map((each) => ({ ...each, file: rename(each.file) })), hasFolders };
}
