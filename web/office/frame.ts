import { isOpenEditor, isReport, type OpenEditor, type Report } from './messages.ts';

/**
 * The page that frames the editor. It has the origin of the app, so no script of the document server runs in it: they run in
 * a `data:` document, which has an origin of its own. A sandbox would isolate them as well, but also the frames of the
 * document server, which need their origin and the browser's viewer for printing.
 */
const editorScript = new URL(document.documentElement.dataset['editor'] ?? '', location.href).href;
const API_PATH = '/web-apps/apps/api/documents/api.js';

let frame: HTMLIFrameElement | undefined;
let message: OpenEditor | undefined;

const report = (what: Report): void => parent.postMessage(what, location.origin);

function addressOf({ serverUrl, title }: OpenEditor): string {
  const page = document.implementation.createHTMLDocument(title);
  const place = page.createElement('div');
  place.id = 'editor';
  const scripts = [`${serverUrl}${API_PATH}`, editorScript].map((address) => {
    const script = page.createElement('script');
    script.src = address;
    return script;
  });
  page.body.append(place, ...scripts);
  const html = new XMLSerializer().serializeToString(page);
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

function fill(element: HTMLElement): void {
  Object.assign(element.style, { display: 'block', margin: '0', border: '0' });
  Object.assign(element.style, { inlineSize: '100%', blockSize: '100%' });
}

function open(wanted: OpenEditor): void {
  message = wanted;
  frame?.remove();
  frame = document.createElement('iframe');
  frame.title = wanted.title;
  frame.allow = 'clipboard-read *; clipboard-write *; fullscreen *';
  fill(frame);
  frame.src = addressOf(wanted);
  document.body.append(frame);
}

for (const element of [document.documentElement, document.body]) fill(element);
addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
  if (source === parent && origin === location.origin && isOpenEditor(data)) open(data);
  else if (frame && source === frame.contentWindow && isReport(data)) {
    // An opaque origin can not be named as the target.
    if (data === 'ready') frame.contentWindow?.postMessage(message, '*');
    else report(data);
  }
});
report('ready');
