import { expect } from 'chai';
import type { BlobHolds } from '../../ports/blob-holds.ts';
import type { Backend } from '../backends.ts';
import { newId } from '../samples.ts';

let day = 0;

/** The contract of every BlobHolds. Each test uses a separate day, since a backend may be shared. */
export function blobHoldsContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  let holds: BlobHolds;
  let now: number;
  before(async () => {
    backend = await open();
    holds = backend.holds;
  });
  after(() => backend.close());
  beforeEach(() => (now = ++day * 86_400_000));

  it('Blobs are held from the acquisition of a hold until its release', async () => {
    const id = newId();
    expect(await holds.areHeld(now)).to.equal(false);
    await holds.take(id, now + 100);
    const other = await backend.another();
    expect(await other.holds.areHeld(now)).to.equal(true);
    await other.close();
    await holds.letGo(id, now);
    expect(await holds.areHeld(now)).to.equal(false);
    await holds.letGo(id, now);
  });

  it('A hold that is not renewed ends when its lease expires, and cannot be renewed afterwards', async () => {
    const id = newId();
    await holds.take(id, now + 100);
    expect(await holds.prolong(id, now + 99, now + 200)).to.equal(true);
    expect([await holds.areHeld(now + 199), await holds.areHeld(now + 200)]).to.deep.equal([
      true,
      false,
    ]);
    expect(await holds.prolong(id, now + 200, now + 300)).to.equal(false);
    expect(await holds.prolong(newId(), now, now + 300)).to.equal(false);
    expect(await holds.areHeld(now + 200)).to.equal(false);
    await holds.letGo(newId(), now + 200);
    expect(await holds.prolong(id, now + 199, now + 300), 'it went').to.equal(false);
  });

  it('Each of several holds lasts independently of the others', async () => {
    const [short, long] = [newId(), newId()];
    await holds.take(short, now + 10);
    await holds.take(long, now + 20);
    await holds.letGo(short, now);
    expect([await holds.areHeld(now + 19), await holds.areHeld(now + 20)]).to.deep.equal([
      true,
      false,
    ]);
    await holds.letGo(long, now);
  });
}
