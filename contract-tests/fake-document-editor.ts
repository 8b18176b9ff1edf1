/**
 * The parts of a document server that run in a browser, with the messages and the checks of origins of ONLYOFFICE Docs: a
 * script that frames the editor, and the editor, which accepts messages of the page that frames it only.
 */
export const API_SCRIPT = `
window.DocsAPI = {
  DocEditor: function (place, config) {
    const base = document.querySelector('script[src*="api/documents/api.js"]').src.split('/web-apps/')[0];
    const target = document.getElementById(place);
    const frame = document.createElement('iframe');
    frame.src = base + '/web-apps/apps/documenteditor/main/index.html?_dc=0&frameEditorId=' + place +
      '&parentOrigin=' + window.location.origin + '&lang=' + config.editorConfig.lang;
    frame.width = config.width;
    frame.height = config.height;
    frame.frameBorder = 0;
    frame.name = 'frameEditor';
    frame.setAttribute('allow', 'autoplay; clipboard-write;');
    target.parentNode.replaceChild(frame, target);
    const origin = new URL(frame.src).origin;
    const send = (command, data) =>
      frame.contentWindow.postMessage(JSON.stringify({ command, data }), '*');
    addEventListener('message', (message) => {
      if (message.origin !== origin) return;
      const { event, data, frameEditorId } = JSON.parse(message.data);
      if (frameEditorId !== place) return;
      if (event === 'onAppReady') {
        const { events, ...rest } = config;
        send('openDocument', rest);
      }
      const handler = (config.events || {})[event];
      if (handler) handler({ target: this, data });
    });
  },
};`;

/** What the owner does in it are buttons: each reports an event as the real editor does. */
export const EDITOR_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Editor</title></head><body>
<p id="state">Waiting</p>
<button data-event="onDocumentStateChange" data-value="true">Type</button>
<button data-event="onDocumentStateChange" data-value="false">Send</button>
<button data-event="onOutdatedVersion">Outdated</button>
<button data-event="onError">Fail</button>
<button data-event="onRequestClose">Close</button>
<script>
const parameters = new URLSearchParams(location.search);
const report = (event, data) =>
  parent.postMessage(
    JSON.stringify({ event, data, frameEditorId: parameters.get('frameEditorId') }),
    '*',
  );
addEventListener('message', async (message) => {
  if (message.origin !== parameters.get('parentOrigin') && message.origin !== location.origin) return;
  const { command, data } = JSON.parse(message.data);
  if (command !== 'openDocument') return;
  const response = await fetch('/opened', { method: 'POST', body: JSON.stringify(data) });
  document.getElementById('state').textContent =
    data.document.title + ' (' + data.editorConfig.mode + '): ' + (await response.text());
  report('onDocumentReady');
});
for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () =>
    report(button.dataset.event, button.dataset.value === 'true'),
  );
report('onAppReady');
</script></body></html>`;
