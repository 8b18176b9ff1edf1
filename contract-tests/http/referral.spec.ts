import { expect } from 'chai';
import { profiles, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

for (const profile of profiles)
  describe(`${profile}: referral`, function () {
    this.timeout(60_000);
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });

    const owner = async () => {
      const { token } = await service.newOwner();
      const get = async () => (await service.call('GET', '/v1/referral', { token })).json;
      return {
        token,
        get,
        apply: (code: unknown) =>
          service.call('POST', '/v1/referral/apply', { token, body: { code } }),
        credited: async () =>
          (await service.call('GET', '/v1/notifications', { token })).json.items.filter(
            ({ kind }: { kind: string }) => kind === 'referral.credited',
          ),
      };
    };

    it('gives every owner a unique, constant code', async () => {
      const [one, other] = [await owner(), await owner()];
      const first = await Promise.all([one.get(), one.get(), one.get(), one.get()]);
      for (const each of first) expect(each).to.deep.equal(first[0]);
      expect(first[0]).to.deep.equal({ code: first[0].code, invited: 0, applied: false });
      expect(first[0].code).to.match(/^[2-9A-HJKMNP-Z]{10}$/);
      expect((await other.get()).code).not.to.equal(first[0].code);
    });

    it('credits once, and notifies the credited owner', async () => {
      const [referrer, invited] = [await owner(), await owner()];
      const { code } = await referrer.get();
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          invited.apply(i % 2 ? code : ` ${code.slice(0, 5)}-${code.slice(5).toLowerCase()} `),
        ),
      );
      for (const { status, json } of answers) {
        expect(status).to.equal(200);
        expect(json).to.have.all.keys('applied');
      }
      expect(answers.filter(({ json }) => json.applied)).to.have.length(1);
      expect(await referrer.get()).to.deep.include({ invited: 1, applied: false });
      expect(await invited.get()).to.deep.include({ invited: 0, applied: true });
      const reported = await referrer.credited();
      expect(reported).to.have.length(1);
      expect(reported[0].payload).to.have.all.keys('owner');
      expect(reported[0].payload.owner).to.match(/^owner-/);
      expect(await invited.credited()).to.deep.equal([]);
    });

    it("accepts neither the owner's code, nor an unknown one, nor a second one", async () => {
      const [one, two, three] = [await owner(), await owner(), await owner()];
      const codes = [(await one.get()).code, (await two.get()).code];
      for (const code of [
        (await three.get()).code,
        'nobody',
        'ZZZZZZZZZZ',
        '💡',
        'x'.repeat(9_000),
      ])
        expect((await three.apply(code)).json, code).to.deep.equal({ applied: false });
      const answers = await Promise.all(codes.map((code) => three.apply(code)));
      expect(answers.filter(({ json }) => json.applied)).to.have.length(1);
      const invited = (await one.get()).invited + (await two.get()).invited;
      expect(invited).to.equal(1);
      // Each may invite the other.
      expect((await two.apply(codes[0])).json).to.deep.equal({ applied: true });
      expect((await one.apply(codes[1])).json).to.deep.equal({ applied: true });
    });

    it('is 400 for blanks, 422 without text, 403 with a read-only token', async () => {
      const { apply, token } = await owner();
      for (const blank of ['', '  \n'])
        expect([(await apply(blank)).status, (await apply(blank)).json.code]).to.deep.equal([
          400,
          'empty_text',
        ]);
      for (const wrong of [undefined, 5, null, ['A']])
        expect((await apply(wrong)).status).to.equal(422);
      const { json } = await service.call('POST', '/v1/tokens', {
        token,
        body: { name: 'reader', access: 'read' },
      });
      const read = await service.call('POST', '/v1/referral/apply', {
        token: json.token,
        body: { code: 'A' },
      });
      expect([read.status, read.json.code]).to.deep.equal([403, 'forbidden']);
    });
  });
