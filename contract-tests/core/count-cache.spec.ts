import { expect } from 'chai';
import { createCountCache, forgetsCounts } from '../../core/storage/index.ts';
import { CHANGE_KINDS, type OwnerChange } from '../../ports/changes.ts';

const NONE: OwnerChange = { visible: [], hidden: [], access: false };

describe('the cache of counts of stored objects', () => {
  let now: number;
  let made: number;
  let cache: ReturnType<typeof createCountCache>;
  beforeEach(() => {
    now = 1_000;
    made = 0;
    cache = createCountCache({ now: () => now });
  });

  /** Each count takes a second. */
  const make = () => {
    now += 1_000;
    return Promise.resolve({ total: ++made, elsewhere: 0, failed: 0 });
  };
  const counted = async (over: object = {}): Promise<number> => {
    const request = { ownerId: 'a', hidden: false, state: '1', ...over };
    return (await cache.get(request, make)).total;
  };

  it('shares a count for twenty times its duration while the state is the same', async () => {
    expect([await counted(), await counted()]).to.deep.equal([1, 1]);
    now += 19_999;
    expect(await counted()).to.equal(1);
    now += 1;
    expect(await counted()).to.equal(2);
  });

  it('returns no count of another state, owner or visibility', async () => {
    expect(await counted()).to.equal(1);
    expect(await counted({ state: '2' })).to.equal(2);
    expect(await counted({ state: '2', hidden: true })).to.equal(3);
    expect(await counted({ state: '2', ownerId: 'b' })).to.equal(4);
    expect(await counted({ state: '2' })).to.equal(2);
  });

  it('shares a count that is not finished, until the owner has changed something', async () => {
    const unfinished = new Promise<never>(() => undefined);
    void cache.get({ ownerId: 'a', hidden: false, state: '1' }, () => unfinished);
    void cache.get({ ownerId: 'a', hidden: false, state: '1' }, make);
    expect(made).to.equal(0);
    cache.forget('b');
    void cache.get({ ownerId: 'a', hidden: false, state: '1' }, make);
    expect(made).to.equal(0);
    cache.forget('a');
    expect(await counted()).to.equal(1);
  });

  it('does not cache a failure', async () => {
    const request = { ownerId: 'a', hidden: false, state: '1' };
    const failure = await cache
      .get(request, () => Promise.reject(new Error('The database is away.')))
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    expect(await counted()).to.equal(1);
  });

  it('is forgotten with changes of objects and of the bucket, hidden or not, and with no others', async () => {
    const published: unknown[] = [];
    const feed = forgetsCounts(
      { publish: (ownerId, change) => void published.push([ownerId, change]) },
      cache,
    );
    let expected = await counted();
    for (const kind of CHANGE_KINDS)
      for (const change of [
        { ...NONE, visible: [kind] },
        { ...NONE, hidden: [kind] },
      ]) {
        feed.publish('b', change);
        expect(await counted(), kind).to.equal(expected);
        feed.publish('a', change);
        if (kind === 'objects' || kind === 'integrations') expected++;
        expect(await counted(), kind).to.equal(expected);
      }
    expect(published).to.have.length(4 * CHANGE_KINDS.length);
  });
});
