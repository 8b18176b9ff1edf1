import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ChangeFeed, ChangeKind, OwnerChange, PublishedChange } from '../../ports/changes.ts';
import { UnavailableError } from '../../ports/errors.ts';

const DEADLINE_MS = 20_000;

const change = (
  visible: readonly ChangeKind[],
  hidden: readonly ChangeKind[] = [],
  access = false,
): OwnerChange => ({ visible, hidden, access });

/** Resolves once the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('It did not happen.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The contract of every ChangeFeed. `another` opens the feed as another process has it, if there can be one. */
export function changeFeedContract(
  open: () => Promise<{ feed: ChangeFeed; another: () => Promise<ChangeFeed> }>,
): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let feed: ChangeFeed;
  beforeEach(async () => {
    opened = await open();
    feed = opened.feed;
  });
  afterEach(() => feed.close());

  async function listen(ownerId: string, from: ChangeFeed = feed) {
    const changes: PublishedChange[] = [];
    let ends = 0;
    const subscription = await from.subscribe(ownerId, {
      changed: (each) => void changes.push(each),
      ended: () => void ends++,
    });
    const kinds = (of: 'visible' | 'hidden') => new Set(changes.flatMap((each) => each[of]));
    return { ...subscription, changes, kinds, ends: () => ends };
  }

  it('A listener gets every later change of its owner, of any process, in order. Several may be merged into one', async () => {
    const owner = randomUUID();
    const other = await opened.another();
    feed.publish(owner, change(['bots']));
    const [mine, theirs] = [await listen(owner), await listen(owner, other)];
    for (const kind of ['objects', 'folders', 'objects', 'chats'] as const) {
      feed.publish(owner, change([kind], ['tasks']));
      other.publish(owner, change(['settings']));
    }
    for (const { kinds } of [mine, theirs]) {
      await until(() => kinds('visible').size === 4);
      expect([...kinds('visible')]).to.have.members(['objects', 'folders', 'chats', 'settings']);
      expect([...kinds('hidden')]).to.deep.equal(['tasks']);
    }
    feed.publish(owner, change(['themes']));
    await until(() => mine.kinds('visible').has('themes'));
    expect(mine.changes.at(-1)?.visible).to.deep.equal(['themes']);
    if (other !== feed) await other.close();
  });

  it("Another owner's changes are not delivered and move no cursor", async () => {
    const [owner, stranger] = [randomUUID(), randomUUID()];
    const mine = await listen(owner);
    const theirs = await listen(stranger);
    feed.publish(stranger, change(['objects']));
    await until(() => theirs.changes.length > 0);
    expect(mine.changes).to.deep.equal([]);
    expect((await listen(owner)).start).to.deep.equal(mine.start);
  });

  it('A change of hidden objects only leaves the cursor of `visible` as it was', async () => {
    const owner = randomUUID();
    const mine = await listen(owner);
    feed.publish(owner, change([], ['objects']));
    await until(() => mine.changes.length > 0);
    const [published] = mine.changes;
    expect(published?.cursors.visible).to.equal(mine.start.visible);
    expect(published?.cursors.any).not.to.equal(mine.start.any);
    expect([published?.visible, published?.hidden]).to.deep.equal([[], ['objects']]);
  });

  it('Every change of a visibility moves its cursor to a position it never had. Without one the cursor stays the same', async () => {
    const owner = randomUUID();
    const mine = await listen(owner);
    const seen = new Set([mine.start.visible, mine.start.any]);
    expect(seen.size).to.equal(2);
    for (let i = 1; i <= 5; i++) {
      feed.publish(owner, change(['objects']));
      await until(() => mine.changes.length === i);
      const { visible, any } = mine.changes.at(-1)?.cursors ?? mine.start;
      expect([seen.has(visible), seen.has(any)]).to.deep.equal([false, false]);
      seen.add(visible).add(any);
      expect((await listen(owner)).start).to.deep.equal({ visible, any });
    }
  });

  it('A change of access alone is delivered and moves no cursor', async () => {
    const owner = randomUUID();
    const mine = await listen(owner);
    feed.publish(owner, change([], [], true));
    await until(() => mine.changes.length > 0);
    expect(mine.changes).to.deep.equal([{ ...change([], [], true), cursors: mine.start }]);
  });

  it('A subscription starts at the cursor of the last delivered change', async () => {
    const owner = randomUUID();
    const mine = await listen(owner);
    feed.publish(owner, change(['objects']));
    feed.publish(owner, change([], ['chats']));
    feed.publish(owner, change(['folders']));
    await until(() => mine.kinds('visible').has('folders'));
    const last = mine.changes.at(-1)?.cursors;
    const other = await opened.another();
    for (const from of [feed, other]) expect((await listen(owner, from)).start).to.deep.equal(last);
    if (other !== feed) await other.close();
  });

  it('A closed subscription delivers nothing more', async () => {
    const owner = randomUUID();
    const [closed, still] = [await listen(owner), await listen(owner)];
    closed.close();
    feed.publish(owner, change(['objects']));
    await until(() => still.changes.length > 0);
    expect(closed.changes).to.deep.equal([]);
    still.close();
    still.close();
  });

  it('After `endSubscriptions` listeners are ended and `subscribe` rejects with UnavailableError. Changes are still published', async () => {
    const owner = randomUUID();
    const other = await opened.another();
    const [one, two] = [await listen(owner), await listen(randomUUID())];
    const far = other === feed ? undefined : await listen(owner, other);
    feed.endSubscriptions();
    feed.publish(owner, change(['objects']));
    expect([one.ends(), two.ends(), one.changes]).to.deep.equal([1, 1, []]);
    const error = await listen(owner).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(UnavailableError);
    if (far) await until(() => far.changes.length === 1);
    if (far) await other.close();
  });

  it('After `close` the same holds, and `publish` has no effect', async () => {
    const owner = randomUUID();
    const one = await listen(owner);
    await feed.close();
    feed.publish(owner, change(['objects']));
    await feed.close();
    expect([one.ends(), one.changes]).to.deep.equal([1, []]);
    const error = await listen(owner).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(UnavailableError);
  });
}
