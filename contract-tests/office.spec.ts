import { expect } from 'chai';
import { placeOf } from '../adapters/outbound/destinations.ts';
import { HttpOfficeEngine } from '../adapters/outbound/office/engine.ts';
import { officeProbe } from '../adapters/outbound/office/health.ts';
import { ownAddress } from '../adapters/outbound/office/own-address.ts';
import { preferredLanguage } from '../adapters/http/request/accept-language.ts';
import { PortFailure } from '../ports/failures.ts';
import { OFFICE_SECRET, openOfficeService } from './office-service.ts';
import { openSite } from './site.ts';
import { officeEngineContract } from './suites/office-engine.ts';

const engineAt = (url: string) =>
  new HttpOfficeEngine({ url, secret: OFFICE_SECRET, rules: { allowed: placeOf(url) } });

describe('HTTP: OfficeEngine', () => officeEngineContract(engineAt));

describe('the health of the document server', () => {
  it('is off where there is none', async () => {
    expect(await officeProbe(null, 1_000).check()).to.deep.equal({
      status: 'off',
      detail: 'Not connected.',
    });
  });

  it('is ok while it says so, and told by a sentence without its address', async () => {
    const office = await openOfficeService();
    const probe = officeProbe(engineAt(office.origin), 1_000);
    expect(probe.name).to.equal('office');
    expect(await probe.check()).to.deep.equal({ status: 'ok', detail: 'It answers.' });
    await office.close();
    const error = await probe.check().then(
      () => expect.fail('It is said to be well.'),
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(PortFailure);
    expect((error as PortFailure).message).not.to.include(String(office.port));
  });
});

describe('the own address', () => {
  it('answers when this service does, and not when nobody or somebody else does', async () => {
    let says = '{"status":"ok"}';
    const site = await openSite((request, response) => {
      response.writeHead(request.url === '/at/health' ? 200 : 404).end(says);
    });
    expect((await ownAddress.answers(`${site.origin}/at`, 1_000)).ok).to.equal(true);
    expect((await ownAddress.answers(site.origin, 1_000)).ok).to.equal(false);
    says = '<h1>It works!</h1>';
    expect((await ownAddress.answers(`${site.origin}/at`, 1_000)).ok).to.equal(false);
    await site.close();
    expect((await ownAddress.answers(`${site.origin}/at`, 1_000)).ok).to.equal(false);
    expect((await ownAddress.answers('http://no-such-name.invalid', 1_000)).ok).to.equal(false);
  });
});

describe('the language of the editor', () => {
  for (const [header, wanted] of [
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
    it(`is ${wanted} for ${JSON.stringify(header.slice(0, 40))}`, () => {
      expect(preferredLanguage(header)).to.equal(wanted);
    });
});
