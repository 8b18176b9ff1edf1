import { expect } from 'chai';
import type { Backend } from '../backends.ts';
import { newId, newScope } from '../samples.ts';

/** The contract of every ReferralStore. */
export function referralStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it('There is no code at first. The first one stored is final', async () => {
    const scope = newScope();
    const code = () => backend.uow.read(scope, ({ referrals }) => referrals.code());
    const keep = (each: string) =>
      backend.uow.write(scope, ({ referrals }) => referrals.saveCode(each));
    expect(await code()).to.equal(undefined);
    const codes = Array.from({ length: 5 }, newId);
    const stored = await Promise.all(codes.map(keep));
    expect(stored.filter(Boolean)).to.have.length(1);
    expect(await code()).to.equal(codes[stored.indexOf(true)]);
    expect(await keep(newId())).to.equal(false);
    expect(await code()).to.equal(codes[stored.indexOf(true)]);
  });

  it('`apply` accepts only the first application, however many are concurrent. `applied` returns it', async () => {
    const scope = newScope();
    const applied = () => backend.uow.read(scope, ({ referrals }) => referrals.applied());
    expect(await applied()).to.equal(undefined);
    const requested = Array.from({ length: 8 }, (_, i) => ({
      referrerId: newId(),
      appliedAt: 2 ** 41 + i,
    }));
    const taken = await Promise.all(
      requested.map((each) => backend.uow.write(scope, ({ referrals }) => referrals.apply(each))),
    );
    expect(taken.filter(Boolean)).to.have.length(1);
    expect(await applied()).to.deep.equal(requested[taken.indexOf(true)]);
  });

  it('`credit` accepts each invited owner once; `invited` counts them', async () => {
    const scope = newScope();
    const credit = (invitedId: string) =>
      backend.uow.write(scope, ({ referrals }) => referrals.credit({ invitedId, creditedAt: 7 }));
    const invited = () => backend.uow.read(scope, ({ referrals }) => referrals.invited());
    expect(await invited()).to.equal(0);
    const [one, other] = [newId(), newId()];
    const taken = await Promise.all([one, one, one, other].map(credit));
    expect(taken.filter(Boolean)).to.have.length(2);
    expect(await invited()).to.equal(2);
  });

  it("Another owner's codes, applications and credits are out of reach", async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const invitedId = newId();
    await backend.uow.write(theirs, async ({ referrals }) => {
      await referrals.saveCode(newId());
      await referrals.apply({ referrerId: newId(), appliedAt: 1 });
      await referrals.credit({ invitedId, creditedAt: 1 });
    });
    await backend.uow.write(mine, async ({ referrals }) => {
      expect(await referrals.code()).to.equal(undefined);
      expect(await referrals.applied()).to.equal(undefined);
      expect(await referrals.invited()).to.equal(0);
      expect(await referrals.credit({ invitedId, creditedAt: 2 })).to.equal(true);
    });
    const count = await backend.uow.read(theirs, ({ referrals }) => referrals.invited());
    expect(count).to.equal(1);
  });
}
