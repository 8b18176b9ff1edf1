import { expect } from 'chai';
import { Answer } from '../adapters/outbound/models/answer.ts';
import { S3Failure } from '../adapters/s3/failures.ts';
import { wordsFor } from '../adapters/s3/words.ts';
import { readDocument } from '../adapters/s3/xml.ts';
import { formPartOf } from '../adapters/http/request/form-part.ts';
import { parseRule } from '../core/recurrence/index.ts';

/** What every object inherits: as names that others choose, they select nothing. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

describe('a name that every object inherits', () => {
  for (const name of INHERITED) {
    it(`as the error code of a bucket is an unknown code: ${name}`, () => {
      const words = wordsFor(new S3Failure('refused', 'refused', 400, name));
      expect(words).to.equal(`The server refuses it: status 400 (${name}).`);
    });

    it(`as an element of an answer of S3 is a text like any other: ${name}`, () => {
      const read = readDocument(
        `<Error><${name}>a</${name}><Code>b</Code><R><${name}>c</${name}></R></Error>`,
      );
      expect(Object.entries(read.texts)).to.deep.equal([
        [name, 'a'],
        ['Code', 'b'],
      ]);
      expect(read.records('R').map((record) => Object.entries(record))).to.deep.equal([
        [[name, 'c']],
      ]);
    });

    it(`as the reason why a model ended is an unknown reason: ${name}`, () => {
      const answer = new Answer();
      answer.take(JSON.stringify({ choices: [{ delta: { content: 'x' }, finish_reason: name }] }));
      expect(answer.end().find(({ type }) => type === 'end')).to.include({ reason: 'stop' });
    });

    it(`as a part of a recurrence rule is no part: ${name}`, () => {
      expect(parseRule(`FREQ=DAILY;${name}=1`)).to.have.property('reason');
    });

    it(`as a field of a form is its name: ${name}`, () => {
      const disposition = [`form-data; name="${name}"; ${name}=x`];
      expect(formPartOf({ 'content-disposition': disposition })).to.deep.equal({ name });
    });
  }
});
