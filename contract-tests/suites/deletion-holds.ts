import { expect } from 'chai';
import type { DeletionHolds } from '../../ports/deletion-holds.ts';
import type { Backend } from '../backends.ts';
import { newId } from '../samples.ts';

let day = 0;

/** The contract of every DeletionHolds. Each test uses a separate day, since a backend may be shared. */
export function deletionHoldsContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  let deletionHolds: DeletionHolds;
  let now: number;
  before(async () => {
    backend = await open();
    deletionHolds = backend.deletionHolds;
  });
  after(() => backend.close());
  beforeEach(() => (now = ++day * 86_400_000));

  it('Blobs are held from the acquisition of a hold until its release', async () => {
    const id = newId();
    expect(await deletionHolds.anyActive(now)).to.equal(false);
    await deletionHolds.acquire(id, now + 100);
    const other = await backend.another();
    expect(await other.deletionHolds.anyActive(now)).to.equal(true);
    await other.close();
    await deletionHolds.release(id, now);
    expect(await deletionHolds.anyActive(now)).to.equal(false);
    await deletionHolds.release(id, now);
  });

  it('A hold that is not renewed ends when its lease expires, and cannot be renewed afterwards', async () => {
    const id = newId();
    await deletionHolds.acquire(id, now + 100);
    expect(await deletionHolds.renew(id, now + 99, now + 200)).to.equal(true);
    expect([
      await deletionHolds.anyActive(now + 199),
      await deletionHolds.anyActive(now + 200),
    ]).to.deep.equal([true, false]);
    expect(await deletionHolds.renew(id, now + 200, now + 300)).to.equal(false);
    expect(await deletionHolds.renew(newId(), now, now + 300)).to.equal(false);
    expect(await deletionHolds.anyActive(now + 200)).to.equal(false);
    await deletionHolds.release(newId(), now + 200);
    expect(await deletionHolds.renew(id, now + 199, now + 300), 'it went').to.equal(false);
  });

  it('Each of several holds lasts independently of the others', async () => {
    const [short, long] = [newId(), newId()];
    await deletionHolds.acquire(short, now + 10);
    await deletionHolds.acquire(long, now + 20);
    await deletionHolds.release(short, now);
    expect([
      await deletionHolds.anyActive(now + 19),
      await deletionHolds.anyActive(now + 20),
    ]).to.deep.equal([true, false]);
    await deletionHolds.release(long, now);
  });
}
