import { expect } from 'chai';
import { sharedProbe } from '../adapters/guards/health-probe.ts';

type Result = { readonly status: 'ok' | 'off'; readonly detail: string };
const OK: Result = { status: 'ok', detail: 'It answers.' };

describe('a probe of an outside service', () => {
  let now: number;
  let calls: PromiseWithResolvers<Result>[];
  const probe = () =>
    sharedProbe(
      {
        name: 'outside',
        check: () => {
          const call = Promise.withResolvers<Result>();
          calls.push(call);
          return call.promise;
        },
      },
      10_000,
      () => now,
    );
  beforeEach(() => {
    [now, calls] = [0, []];
  });

  it('is called once for all concurrent callers, however long it takes', async () => {
    const shared = probe();
    const check = () => shared.check();
    const first = check();
    now = 60_000;
    const others = [check(), check()];
    calls[0]?.resolve(OK);
    expect(await Promise.all([first, ...others])).to.deep.equal([OK, OK, OK]);
    expect(calls).to.have.length(1);
  });

  it('is called again only when its result has expired, counted from its end', async () => {
    const shared = probe();
    const check = () => shared.check();
    const first = check();
    now = 5_000;
    calls[0]?.resolve(OK);
    await first;
    now = 14_999;
    expect(await check()).to.equal(OK);
    expect(calls).to.have.length(1);
    now = 15_000;
    const next = check();
    expect(calls).to.have.length(2);
    calls[1]?.resolve(OK);
    await next;
  });

  it('shares a failure as well, and recovers after that time', async () => {
    const shared = probe();
    const check = () => shared.check();
    const failures = [check(), check()].map((it) => it.catch((error: Error) => error.message));
    calls[0]?.reject(new Error('gone'));
    expect(await Promise.all(failures)).to.deep.equal(['gone', 'gone']);
    expect(await check().catch((error: Error) => error.message)).to.equal('gone');
    expect(calls).to.have.length(1);
    now = 10_000;
    const next = check();
    calls[1]?.resolve(OK);
    expect(await next).to.equal(OK);
  });
});
