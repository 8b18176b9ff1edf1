import { expect } from 'chai';
import { CompletionParser } from '../adapters/outbound/models/completion-parser.ts';
import { createSsrfSafeConnector } from '../adapters/outbound/ssrf-guard.ts';
import { privateNetworks } from '../adapters/outbound/destination-policy.ts';
import { S3BlobStore } from '../adapters/s3/blob-store.ts';
import { S3Error } from '../adapters/s3/errors.ts';
import { messageFor } from '../adapters/s3/owner-messages.ts';
import { formPartOf } from '../adapters/http/request/form-part.ts';
import { parseRule } from '../core/recurrence/index.ts';
import { ModelError } from '../ports/language-model.ts';
import { startLocalServer } from './local-server.ts';

const ENDPOINT = {
  baseUrl: 'http://models.test/v1',
  model: 'lamp-7b',
  key: null,
  temperature: null,
  chosenBy: 'owner',
} as const;

/** Properties that every object inherits. As names chosen by others they select nothing. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

async function idsOf(blobs: S3BlobStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { blobId } of blobs.list()) ids.push(blobId);
  return ids;
}

describe('a name inherited by every object', () => {
  for (const name of INHERITED) {
    it(`as the error code of a bucket is an unknown code: ${name}`, () => {
      const words = messageFor(new S3Error('rejected', 'rejected', 400, name));
      expect(words).to.equal(`The server rejected the request: status 400 (${name}).`);
    });

    it(`as an element of an S3 response is ignored, or makes the response malformed: ${name}`, async () => {
      const blobId = 'ffffffff-0000-7000-8000-0000000000aa';
      const other = `<${name}>a</${name}>`;
      const records = `<Contents>${other}<Key>blobs/aa/${blobId}</Key></Contents>`;
      const site = await startLocalServer(({ url = '' }, response) => {
        const isCheck = url.includes('max-keys=1');
        response.writeHead(isCheck ? 400 : 200, { 'content-type': 'application/xml' });
        response.end(
          isCheck
            ? `<Error>${other}<Code>b</Code><R>${other}</R></Error>`
            : `<ListBucketResult>${other}${records}<R>${other}</R></ListBucketResult>`,
        );
      });
      const blobs = new S3BlobStore(
        {
          endpoint: site.origin,
          region: 'eu-west-9',
          bucket: 'papers',
          prefix: '',
          pathStyle: true,
          accessKeyId: 'AKID',
          secretAccessKey: 'open sesame',
        },
        {
          connector: (ms) => createSsrfSafeConnector({ allowed: privateNetworks() }, ms),
          tries: 1,
        },
      );
      const causeOf = (work: Promise<unknown>) =>
        work.catch((error: unknown) => (error as Error).cause as S3Error);
      try {
        const listed = await causeOf(idsOf(blobs));
        const checked = await causeOf(blobs.check(1_000));
        if (name === '__proto__') {
          // The parser of the SDK fails for it.
          expect(listed).to.include({ kind: 'malformed' });
          expect(checked).to.include({ kind: 'malformed' });
        } else {
          expect(listed).to.deep.equal([blobId]);
          expect(checked).to.include({ kind: 'rejected', status: 400, code: 'b' });
        }
      } finally {
        await blobs.close();
        await site.close();
      }
    });

    it(`as the finish reason of a model is an unknown reason: ${name}`, () => {
      const answer = new CompletionParser(ENDPOINT, false);
      answer.take(JSON.stringify({ choices: [{ delta: { content: 'x' }, finish_reason: name }] }));
      expect(() => answer.end()).to.throw(ModelError);
    });

    it(`as a part of a recurrence rule is an unknown part: ${name}`, () => {
      expect(parseRule(`FREQ=DAILY;${name}=1`)).to.have.property('reason');
    });

    it(`as a field of a form is an ordinary name: ${name}`, () => {
      const disposition = [`form-data; name="${name}"; ${name}=x`];
      expect(formPartOf({ 'content-disposition': disposition })).to.deep.equal({ name });
    });
  }
});
