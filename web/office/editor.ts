import { isOpenEditor, type Report } from './messages.ts';

/** Runs in the document of the editor, after the script of the document server. */

interface EditorEvent {
  readonly data?: unknown;
}

interface DocsApi {
  readonly DocEditor: new (place: string, config: object) => unknown;
}

const report = (what: Report): void => parent.postMessage(what, '*');
const docsApi = (): DocsApi | undefined => (globalThis as { readonly DocsAPI?: DocsApi }).DocsAPI;

const events = {
  onDocumentReady: () => report('shown'),
  onDocumentStateChange: ({ data }: EditorEvent) => report(data === true ? 'changed' : 'unchanged'),
  // With a handler the editor shows no page of its own for a document that has another version since.
  onOutdatedVersion: () => report('outdated'),
  onRequestClose: () => report('close'),
  onError: () => report('failed'),
};

for (const element of [document.documentElement, document.body])
  Object.assign(element.style, { margin: '0', width: '100%', height: '100%', overflow: 'hidden' });

addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  const api = docsApi();
  if (source !== parent || !isOpenEditor(data) || !api?.DocEditor) return;
  // What is signed stays as it is; the rest is of this page.
  new api.DocEditor('editor', { ...data.config, width: '100%', height: '100%', events });
});
report(docsApi()?.DocEditor ? 'ready' : 'missing');
