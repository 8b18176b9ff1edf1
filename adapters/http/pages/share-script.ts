import { MAX_FILES } from '../request/multipart.ts';

/**
 * Enhances the upload form where scripts run: progress, error messages, drag and drop, and an idempotency key, so that
 * a retry after a broken connection stores no file twice. Without scripts the form works as well.
 */
export const SHARE_SCRIPT = `'use strict';
(() => {
  const form = document.getElementById('upload');
  if (!form) return;
  const input = form.querySelector('input[type=file]');
  const button = form.querySelector('button');
  const state = document.getElementById('upload-state');
  const MOST = ${MAX_FILES};
  const WORDS = {
    0: 'The connection broke. Press Upload to try again: nothing comes in twice.',
    401: 'This share has been locked again. Load the page anew and enter the password.',
    402: 'The owner has no room for these files. None of them came in.',
    404: 'Sharing has ended. None of the files came in.',
    409: 'These files are still being taken in. Look again in a moment.',
    413: 'One of the files is larger than what is taken in here. None of them came in.',
  };
  let key;
  let bar;

  const say = (text, isTrouble) => {
    state.className = isTrouble ? 'trouble' : '';
    state.textContent = text;
  };
  const newKey = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
  const show = (share) => {
    if (!bar) {
      bar = document.createElement('progress');
      bar.max = 100;
      bar.setAttribute('aria-label', 'Upload');
      state.before(bar);
    }
    bar.value = share;
  };
  const idle = () => {
    if (bar) bar.remove();
    bar = undefined;
    button.disabled = false;
  };
  // Only the service knows the remaining quota of this link, so its message is shown.
  const wordsOfLimit = (request) => {
    try {
      const { code, detail } = JSON.parse(request.responseText);
      return code === 'share_quota' || (code === 'too_large' && /link/.test(detail)) ? detail : '';
    } catch {
      return '';
    }
  };
  const troubled = (request) => {
    idle();
    const wait = Number(request.getResponseHeader('Retry-After'));
    let told = wordsOfLimit(request) || WORDS[request.status];
    if (!told && wait > 0)
      told = 'Not right now. Try again in ' + (wait < 90 ? wait + ' seconds.' : Math.ceil(wait / 60) + ' minutes.');
    if (!told) told = request.status < 500 ? 'This did not work. None of the files came in.' : WORDS[0].replace('The connection broke', 'This did not work');
    // A rejected upload gets a new key. After a lost response the retry uses the same key, since the files may have
    // arrived.
    if (request.status !== 0 && request.status !== 409 && request.status < 500) key = undefined;
    say(told, true);
    button.focus();
  };
  const send = () => {
    const count = input.files.length;
    if (count > MOST) return say('At most ' + MOST + ' files can be sent at a time. These are ' + count + '.', true);
    key = key || newKey();
    const request = new XMLHttpRequest();
    request.open('POST', form.action);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Idempotency-Key', key);
    request.upload.onprogress = ({ loaded, total }) => {
      const share = total > 0 ? Math.floor((loaded / total) * 100) : 0;
      show(share);
      say(share < 100 ? share + ' % sent' : 'Everything is sent. It is being taken in.');
    };
    request.onload = () => {
      if (request.status !== 200) return troubled(request);
      const { items } = JSON.parse(request.responseText);
      location.assign(location.pathname + '?uploaded=' + items.length + '#came-in');
    };
    request.onerror = () => troubled(request);
    button.disabled = true;
    show(0);
    say('0 % sent');
    request.send(new FormData(form));
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!button.disabled) send();
  });
  input.addEventListener('change', () => {
    key = undefined;
    say('');
  });
  for (const name of ['dragenter', 'dragover'])
    form.addEventListener(name, (event) => {
      event.preventDefault();
      form.classList.add('over');
    });
  for (const name of ['dragleave', 'drop']) form.addEventListener(name, () => form.classList.remove('over'));
  form.addEventListener('drop', (event) => {
    event.preventDefault();
    if (button.disabled || event.dataTransfer.files.length === 0) return;
    input.files = event.dataTransfer.files;
    key = undefined;
    say(input.files.length === 1 ? '1 file is chosen.' : input.files.length + ' files are chosen.');
    button.focus();
  });
})();
`;
