/**
 * Reasons that are stored and returned as English sentences, with a code for programs. The sentence is what is stored:
 * rows of earlier versions have their codes as well. `#` stands for a fact (a number, a name or a code), `*` for words
 * that are not repeated. A sentence in use is never removed here, since it may be stored.
 */
type Catalogue = Readonly<Record<string, readonly string[]>>;

/** The sentences of a pattern: of `More than # pages.` every string with anything at the place of `#`. */
type Written<Pattern extends string> = Pattern extends `${infer Start}#${infer Rest}`
  ? `${Start}${string}${Written<Rest>}`
  : Pattern extends `${infer Start}*${infer Rest}`
    ? `${Start}${string}${Written<Rest>}`
    : Pattern;
type SentenceOf<Reasons extends Catalogue> = Written<Reasons[keyof Reasons][number]>;

/** A reason for programs. */
export interface Reason<Code extends string> {
  /** `other` for a sentence that is not in the catalogue. */
  readonly code: Code | 'other';
  /** The number, name or code that the sentence contains; '' for none. */
  readonly fact: string;
}

/** Why a file or a page has no text. */
const UNREAD = {
  password_protected: ['The file is protected by a password.'],
  copy_protected: ['The book is protected against copying.'],
  empty: ['The file is empty.'],
  damaged: [
    'The file is damaged, or does not match its name.',
    'The file ends in the middle of the document.',
    'The groups of the file do not match.',
    'One of the parts is missing in the file.',
    'A record of the file is incomplete.',
    'The body of the message is damaged.',
    'None of the pages of the file can be rendered.',
    'The image is damaged, or of an unsupported type.',
  ],
  wrong_format: [
    'The file is not an RTF document.',
    'The file is not text, although its name says so.',
    'The file does not contain a text document.',
    'The file is not a mail message.',
  ],
  unsafe: [
    'The file defines its own entities, which are not replaced.',
    'The uncompressed size of the file is far larger than its size.',
    'The file crashed the program that reads it.',
    'The file crashed the program that reads it. It is damaged or malicious.',
  ],
  too_large: [
    'The file is larger than the limit of # MB.',
    'The uncompressed size of the file is over the limit.',
  ],
  too_complex: [
    'The groups of the file are nested too deeply.',
    'The parts of the document are nested too deeply.',
    'The shapes of the file are nested too deeply.',
    'The elements of the page are nested too deeply.',
    'The document has too many elements.',
    'The page has too many elements.',
    'A part of the document is too long.',
    'The page is too long to be read.',
    'The file has too many sheets.',
    'The file has too many chapters.',
    'The file has too many slides.',
    'The file holds too many parts.',
    'The mailbox holds too many messages.',
    'The file has more than * pages.',
  ],
  timed_out: ['Reading the file took longer than # seconds.'],
  out_of_memory: ['Reading the file took more memory than allowed.'],
  no_text: [
    'The file contains no text.',
    'The page contains no text.',
    'Files of this kind contain no text.',
  ],
  unsupported_format: [
    'Text cannot be read from such files yet.',
    'Text cannot be read from # files yet.',
    'Text cannot be read from documents older than Word 97.',
    'Text cannot be read from presentations older than PowerPoint 97.',
  ],
  ocr_off: [
    'Text in images is read only if OCR_LANGS is set.',
    'The file has no page with text. It looks like a scan. Scans are read only if OCR_LANGS is set.',
  ],
  ocr_found_nothing: [
    'No text was recognised in the image.',
    'No text was recognised on the pages of the file.',
  ],
  ocr_failed: ['OCR exceeded a limit of time or memory.'],
  page_blocked: ['The address leads to a destination that this service does not connect to.'],
  page_credentials: ['The address contains a user name or password, which is not sent.'],
  page_redirects: ['The address redirects more than # times.'],
  page_challenge: ['The site asks for a check that only a browser can pass.'],
  page_status: ['The site answers with status #.'],
  page_too_large: ['The page is larger than the limit of # MB.'],
  page_timed_out: ['The site did not answer within # seconds.'],
  page_incomplete: ['The answer of the site is incomplete or cannot be read.'],
  page_certificate: ['The certificate of the site is not valid.'],
  page_unreachable: ['The site cannot be reached.'],
  page_unknown_host: ['The host name of the site is unknown.'],
  interrupted: ['The text could not be read: *'],
} as const satisfies Catalogue;

/** Why a server that is connected could not be used, and why files could not be moved there. */
const CONNECTION = {
  blocked_address: [
    'The address leads to a destination that this service does not connect to.',
    'The address of the server is not one that this service connects to.',
    'The address of the platform leads to a destination that this service does not connect to.',
  ],
  unknown_host: [
    'The host name of the model service is unknown.',
    'The host name of the platform is unknown.',
    'The host name of the document server is unknown.',
  ],
  unreachable: [
    'The model service cannot be reached.',
    'The platform cannot be reached.',
    'The document server cannot be reached.',
    'The server cannot be reached, or the connection was lost: #.',
  ],
  timed_out: [
    'The server did not answer in time.',
    'The platform did not answer in time.',
    'The model did not answer within # seconds.',
    'The platform did not answer within # seconds.',
    'The document server did not answer within # seconds.',
    'It did not answer.',
  ],
  bad_certificate: [
    'The certificate of the model service is not valid.',
    'The certificate of the platform is not valid.',
    'The certificate of the document server is not valid.',
  ],
  wrong_service: [
    'The server at this address is not a model service. The address often ends with /v1.',
    'The server is not an S3 server: *.',
    'The server at the address of the platform is not a Bot API.',
    'The server at this address is not a document server.',
    'The file is not on the document server.',
  ],
  unhealthy: [
    'The server at this address is not a healthy document server.',
    'The command service of the document server is not responding.',
    'The command service of the document server has failed.',
  ],
  redirects: [
    'The address redirects to another one, which is not followed (status #).',
    'The document server redirects away from its configured address, which is not followed (status #).',
  ],
  wrong_key: ['The model service does not accept the key (status #).'],
  unknown_model: ['The model service does not know this model, or this address (status #).'],
  busy: [
    'The model service accepts no more requests at the moment (status #).',
    'The server is temporarily unavailable: status #.',
    'Too many requests were sent to the platform.',
  ],
  rejected: [
    'The model service does not accept the request (status #).',
    'The server rejected the request: status #.',
    'The platform rejected the request (code #).',
  ],
  server_error: [
    'The model service failed (status #).',
    'The platform failed (status #).',
    'The document server answers with status #.',
  ],
  unreadable_answer: [
    'The answer of the model cannot be read.',
    'The answer of the platform cannot be read.',
    'The answer of the document server cannot be read.',
  ],
  answer_too_long: [
    'The answer of the model is too long.',
    'The answer of the platform is too long.',
    'The document server sends more data than allowed.',
  ],
  answer_cut_off: [
    'The answer of the model was cut off.',
    'The answer of the platform was cut off.',
    'The answer of the document server was cut off.',
    'The model broke its answer off with an error.',
  ],
  token_limit: ['The model reached its limit of tokens before the end of its answer.'],
  no_tools: ['This model does not support tools. The agent needs another model.'],
  context_too_long: [
    'The request is longer than the context of the model (status #). Correct context_tokens.',
  ],
  empty_answer: ['The model has returned an empty answer.'],
  answer_withheld: ['The model service withheld the answer.'],
  access_denied: ['The access key does not have permission for this operation in the bucket.'],
  unknown_access_key: ['The server does not know the access key.'],
  no_such_bucket: ['There is no such bucket.'],
  clock_skew: ['The clocks of the server and of this service differ too much.'],
  wrong_secret: [
    'The server does not accept the secret.',
    'The document server has a different secret than this service.',
  ],
  wrong_location: ['The bucket is in another region or at another address.'],
  altered_bytes: [
    'The bucket returned other bytes than were stored in it. Check the server, or connect another bucket.',
    'The copy of a file differs from the original. The file was not moved.',
  ],
  no_secret: ['There is no secret for this access key. Send it.'],
  sealed_with_other_key: ['The stored secret was sealed with another key. Send it again.'],
  not_connected: [
    'The bucket is no longer connected.',
    'No document server is connected. Set OFFICE_URL and OFFICE_JWT_SECRET, and OFFICE_ENABLED to true.',
  ],
  bytes_missing: ['The stored bytes of a file are missing.'],
  bytes_corrupt: ['The stored bytes of a file are corrupt.'],
  storage_unavailable: [
    'The file storage is not available.',
    'The storage could not read or write the file.',
  ],
  too_many_failures: ['# files could not be moved.'],
  unexpected: ['An unexpected error occurred. Start the move again.'],
  not_fetched: ['The document server could not fetch a text from #.'],
  other_server: ['A different server is running at the address of this service.'],
  own_address_unreachable: ['The address of this service cannot be reached.'],
  empty_file: ['The document server sent an empty file.'],
  file_too_large: ['The file is too large.'],
  not_saved: ['The document server could not save the edited document.'],
  webhook_port: [
    'The platform delivers updates to the ports 443, 80, 88 and 8443 only. PUBLIC_URL has another port.',
  ],
  webhook_unknown_host: ['The platform cannot resolve the host name in PUBLIC_URL.'],
  webhook_private: [
    'The platform delivers no updates to private addresses. PUBLIC_URL leads to one.',
  ],
  webhook_certificate: ['The platform does not trust the certificate of the server at PUBLIC_URL.'],
  webhook_unreachable: [
    'The platform cannot connect to the server at PUBLIC_URL.',
    'The server at PUBLIC_URL did not answer the platform in time.',
  ],
  webhook_status: ['The server at PUBLIC_URL answered the platform with status #.'],
  webhook_failed: [
    'The platform does not accept the address in PUBLIC_URL for updates.',
    'The platform does not accept the address in PUBLIC_URL for updates: *.',
    'The platform does not deliver updates to the address in PUBLIC_URL.',
    'The platform does not deliver updates to the address in PUBLIC_URL: *.',
  ],
  other_client: ['Another program receives the updates of this bot with the same token.'],
  token_revoked: [
    'The platform no longer accepts its token. Register the bot again with its new token.',
  ],
  token_sealed: ['Its token was sealed with another key. Register the bot again with its token.'],
  not_tried: ['Not tested: an earlier step has failed.'],
} as const satisfies Catalogue;

/** Why an operation on a picture has made no new version. */
const PICTURE = {
  wrong_type: [
    'Only jpg, png and webp images can be edited.',
    'The file is not an image of its declared type.',
  ],
  lossless: ['A png cannot be compressed by quality. Only jpg and webp can.'],
  animated: ['An animated png cannot be edited without losing its frames.'],
  damaged: ['The image is damaged.'],
  too_large: ['The file is larger than the limit of # MB.'],
  too_many_pixels: ['The image has more than 100 megapixels, which is the limit.'],
  timed_out: ['Editing the image took longer than # seconds.'],
  out_of_memory: ['Editing the image took more memory than allowed.'],
  not_smaller: ['At this quality the image would not become smaller. It is unchanged.'],
  in_trash: ['The image is in the trash.'],
  replaced: ['The image was replaced repeatedly while it was edited.'],
  no_room: ['There is no room left for the edited picture.'],
  not_edited: ['The image could not be edited. It is unchanged.'],
} as const satisfies Catalogue;

/** A sentence of a catalogue. Where reasons are written, a sentence without a code does not compile. */
export type UnreadSentence = SentenceOf<typeof UNREAD>;
export type ConnectionSentence = SentenceOf<typeof CONNECTION>;
export type PictureSentence = SentenceOf<typeof PICTURE>;

export type UnreadCode = keyof typeof UNREAD;
export type ConnectionCode = keyof typeof CONNECTION;
export type PictureCode = keyof typeof PICTURE;

/** One word, or two of which the second is in parentheses: `503 (SlowDown)`. A phrase is no fact. */
const FACT = /^\S{1,200}( \(\w{1,64}\))?$/;

const codesOf = <Reasons extends Catalogue>(reasons: Reasons) => [
  ...(Object.keys(reasons) as (keyof Reasons & string)[]),
  'other' as const,
];

export const UNREAD_CODES = codesOf(UNREAD);
export const CONNECTION_CODES = codesOf(CONNECTION);
export const PICTURE_CODES = codesOf(PICTURE);

export const unreadReason = reasonsOf(UNREAD);
export const connectionReason = reasonsOf(CONNECTION);
export const pictureReason = reasonsOf(PICTURE);

function reasonsOf<Reasons extends Catalogue>(
  reasons: Reasons,
): (sentence: string) => Reason<keyof Reasons & string> {
  const entries = Object.entries(reasons).flatMap(([code, sentences]) =>
    sentences.map((sentence) => ({ code, sentence })),
  );
  const exact = new Map(entries.map(({ code, sentence }) => [sentence, code]));
  const patterns = entries
    .filter(({ sentence }) => /[#*]/.test(sentence))
    .map(({ code, sentence }) => ({ code, pattern: patternOf(sentence) }));
  return (sentence) => {
    const known = exact.get(sentence);
    if (known !== undefined) return { code: known, fact: '' };
    for (const { code, pattern } of patterns) {
      const found = pattern.exec(sentence);
      if (found) return { code, fact: FACT.exec(found[1] ?? '')?.[0] ?? '' };
    }
    return { code: 'other', fact: '' };
  };
}

function patternOf(sentence: string): RegExp {
  const literal = sentence.replace(/[.()/]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replace('#', '(.+)').replace('*', '.+')}$`, 's');
}
