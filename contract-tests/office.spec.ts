import { expect } from 'chai';
import { destinationOfUrl } from '../adapters/outbound/destination-policy.ts';
import { HttpOfficeEngine } from '../adapters/outbound/office/engine.ts';
import { officeProbe } from '../adapters/outbound/office/health.ts';
import { selfReachability } from '../adapters/outbound/office/self-reachability.ts';
import { preferredLanguage } from '../adapters/http/request/accept-language.ts';
import { UnavailableError } from '../ports/errors.ts';
import { OFFICE_SECRET, openOfficeService } from './fake-document-server.ts';
import { startLocalServer } from './local-server.ts';
import { officeEngineContract } from './suites/office-engine.ts';

const engineAt = (url: string) =>
  new HttpOfficeEngine({ url, secret: OFFICE_SECRET, rules: { allowed: destinationOfUrl(url) } });

describe('HTTP: OfficeEngine', () => officeEngineContract(engineAt));

describe('the health of the document server', () => {
  it('is off without a document server', async () => {
    expect(await officeProbe(null, 1_000).check()).to.deep.equal({
      status: 'off',
      detail: 'Not connected.',
    });
  });

  it('is ok while the server reports it, and otherwise a sentence without its URL', async () => {
    const office = await openOfficeService();
    const probe = officeProbe(engineAt(office.origin), 1_000);
    expect(probe.name).to.equal('office');
    expect(await probe.check()).to.deep.equal({ status: 'ok', detail: 'It answers.' });
    await office.close();
    const error = await probe.check().then(
      () => expect.fail('It is said to be well.'),
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(UnavailableError);
    expect((error as UnavailableError).message).not.to.include(String(office.port));
  });
});

describe('the public URL of the service', () => {
  it('is reachable while this service responds, and not with no server or another one', async () => {
    let says = '{"status":"ok"}';
    const site = await startLocalServer((request, response) => {
      response.writeHead(request.url === '/at/health' ? 200 : 404).end(says);
    });
    expect((await selfReachability.answers(`${site.origin}/at`, 1_000)).ok).to.equal(true);
    expect((await selfReachability.answers(site.origin, 1_000)).ok).to.equal(false);
    says = '<h1>It works!</h1>';
    expect((await selfReachability.answers(`${site.origin}/at`, 1_000)).ok).to.equal(false);
    await site.close();
    expect((await selfReachability.answers(`${site.origin}/at`, 1_000)).ok).to.equal(false);
    expect((await selfReachability.answers('http://no-such-name.invalid', 1_000)).ok).to.equal(
      false,
    );
  });
});

describe('the language of the editor', () => {
  for (const [header, requested] of [
    ['', 'en'],
    ['de', 'de'],
    ['DE-at', 'de-AT'],
    ['fr;q=0.5, pt-br;q=0.8, en;q=0.8', 'pt-BR'],
    ['zh-Hans-CN, en', 'zh-CN'],
    ['*', 'en'],
    ['de;q=0', 'en'],
    ['de;q=x, fr;q=0.3', 'de'],
    ['1234, ;;;, ../x', 'en'],
    [`${'x,'.repeat(5_000)}de`, 'en'],
  ] as const)
    it(`is ${requested} for ${JSON.stringify(header.slice(0, 40))}`, () => {
      expect(preferredLanguage(header)).to.equal(requested);
    });
});
