import type { ErrorReply } from '../pipeline/errors.ts';
import { html } from '../html.ts';
import { MAX_FILES } from '../request/multipart.ts';
import type { Page } from './document.ts';
import { addressIn, passwordForm, type ShareAt } from './components.ts';
import { waitWords } from './format.ts';

/** The target of a visitor's request that failed. */
export interface FailedAt extends ShareAt {
  /** Whether the request sent the password. */
  readonly unlocking: boolean;
}

/** The page for an error. Missing resources look the same for every cause. */
export function errorPage(at: FailedAt, failure: ErrorReply): Page {
  const { status, body } = failure;
  if (body.code === 'password_required') return lockedPage(at);
  if (body.code === 'wrong_password') return lockedPage(at, 'That is not the password.');
  if (status === 422 && at.unlocking) return lockedPage(at, 'Enter the password of this share.');
  const [title, said] = wordsOf(failure, at.unlocking);
  return {
    title,
    main: html`<h1>${title}</h1>
<p>${said}</p>${status !== 404 && html`<p><a class="button" href="${addressIn(at)}">Back to what is shared</a></p>`}`,
  };
}

const lockedPage = (at: ShareAt, wrong?: string): Page => ({
  title: 'A locked share',
  main: html`<h1>This share is locked</h1>
<p class="soft">Enter the password that came with the link.</p>
${passwordForm(at, wrong)}`,
});

const NOTHING_CAME = 'None of the files came in.';

function wordsOf(
  { status, body, retryAfter = 1 }: ErrorReply,
  unlocking: boolean,
): readonly [title: string, said: string] {
  const later = `Try again in ${waitWords(retryAfter)}.`;
  switch (status) {
    case 402:
      return ['No room left', `The owner has no room for these files. ${NOTHING_CAME}`];
    case 404:
      return [
        'Nothing is shared here',
        'The address may be mistyped, or sharing has ended. Ask the sender for a new one.',
      ];
    case 408:
      return ['It took too long', 'What was sent did not arrive in time. Try again.'];
    case 413:
      return ['Too large', `${String(body.detail)} ${NOTHING_CAME}`];
    case 415:
      return ['There is no picture', 'No small picture can be made of this file.'];
    case 422:
      return wrongFiles(body.detail);
    case 429:
      return [
        'Please wait',
        `${unlocking ? 'There were too many tries' : 'Too much was asked at once'}. ${later}`,
      ];
    case 503:
      return ['Not right now', `The service can not do this at the moment. ${later}`];
    default:
      return ['This did not work', String(body.detail)];
  }
}

/** Errors in the files of a form, or in a URL that was written by hand. */
function wrongFiles(detail: unknown): readonly [title: string, said: string] {
  const faults = Array.isArray(detail) ? (detail as readonly Fault[]) : [];
  const fault = faults.find(({ loc }) => loc.at(-1) === 'file');
  if (fault?.type === 'missing')
    return ['No file was chosen', 'Choose one or more files, and upload them then.'];
  if (fault?.type === 'too_long')
    return ['Too many files', `At most ${MAX_FILES} can be sent at a time. ${NOTHING_CAME}`];
  return ['This can not be understood', 'Something in the address or the form is not right.'];
}

interface Fault {
  readonly type: string;
  readonly loc: readonly (string | number)[];
}
