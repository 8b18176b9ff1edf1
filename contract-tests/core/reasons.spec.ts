import { expect } from 'chai';
import {
  CONNECTION_CODES,
  PICTURE_CODES,
  UNREAD_CODES,
  connectionReason,
  pictureReason,
  unreadReason,
} from '../../ports/reasons.ts';

describe('reasons', () => {
  it('have a code for each sentence, with its fact', () => {
    for (const [sentence, code, fact] of [
      ['The file is protected by a password.', 'password_protected', ''],
      ['The file is larger than the limit of 200 MB.', 'too_large', '200'],
      ['The page is larger than the limit of 9.5 MB.', 'page_too_large', '9.5'],
      ['Text cannot be read from PSD files yet.', 'unsupported_format', 'PSD'],
      ['Text cannot be read from such files yet.', 'unsupported_format', ''],
      ['The site answers with status 404.', 'page_status', '404'],
      ['The file has more than 5000 pages.', 'too_complex', ''],
    ] as const)
      expect(unreadReason(sentence), sentence).to.deep.equal({ code, fact });
    for (const [sentence, code, fact] of [
      ['The model service does not accept the key (status 401).', 'wrong_key', '401'],
      ['The server is temporarily unavailable: status 503 (SlowDown).', 'busy', '503 (SlowDown)'],
      ['The platform did not answer within 2.5 seconds.', 'timed_out', '2.5'],
      ['There is no such bucket.', 'no_such_bucket', ''],
      ['1000 files could not be moved.', 'too_many_failures', '1000'],
    ] as const)
      expect(connectionReason(sentence), sentence).to.deep.equal({ code, fact });
    expect(pictureReason('Editing the image took longer than 30 seconds.')).to.deep.equal({
      code: 'timed_out',
      fact: '30',
    });
  });

  it('do not repeat phrases: a fact is a number, a name or a code', () => {
    const lost = (cause: string) =>
      connectionReason(`The server cannot be reached, or the connection was lost: ${cause}.`);
    expect(lost('ECONNREFUSED')).to.deep.equal({ code: 'unreachable', fact: 'ECONNREFUSED' });
    expect(lost('the body was cut')).to.deep.equal({ code: 'unreachable', fact: '' });
    expect(unreadReason('The text could not be read: secret /tmp/path')).to.deep.equal({
      code: 'interrupted',
      fact: '',
    });
  });

  it('are `other` if the sentence is not known, as a whole', () => {
    for (const reason of [unreadReason, connectionReason, pictureReason])
      for (const sentence of ['', 'Something else.', 'The file is empty. And more.', 'constructor'])
        expect(reason(sentence), sentence).to.deep.equal({ code: 'other', fact: '' });
  });

  it('have codes that programs can compare', () => {
    for (const codes of [UNREAD_CODES, CONNECTION_CODES, PICTURE_CODES]) {
      expect(new Set(codes).size).to.equal(codes.length);
      for (const code of codes) expect(code).to.match(/^[a-z]+(_[a-z]+)*$/);
    }
  });
});
