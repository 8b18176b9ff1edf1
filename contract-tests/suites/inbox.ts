import { expect } from 'chai';
import { UnavailableError } from '../../ports/errors.ts';
import {
  InboxFileChangedError,
  type Inbox,
  type InboxEntryKind,
  type InboxFile,
  type InboxQuery,
} from '../../ports/inbox.ts';

/** An inbox, and what other programs do in it. An id is the path below the inbox. */
export interface OpenInbox {
  readonly inbox: Inbox;
  put(id: string, text: string, kind?: InboxEntryKind): Promise<void>;
  remove(id: string): Promise<void>;
  /** The texts of all files below `.taken` and `.refused`, by their paths. */
  moved(): Promise<ReadonlyMap<string, string>>;
  /** From now on no file of the folder can be moved. */
  block(folder: string): Promise<void>;
  close(): Promise<void>;
}

export const ALL: InboxQuery = {
  limit: 100,
  isIgnored: (name) => name.startsWith('.'),
  isSkipped: () => false,
};

export const textOf = async (inbox: Inbox, file: InboxFile): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of inbox.read(file)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

export const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The contract of every Inbox. */
export function inboxContract(open: () => Promise<OpenInbox>): void {
  let opened: OpenInbox;
  let inbox: Inbox;
  beforeEach(async () => {
    opened = await open();
    inbox = opened.inbox;
  });
  afterEach(() => opened.close());

  const only = async (folder = 'anna'): Promise<InboxFile> => {
    const [file] = await inbox.files(folder, ALL);
    if (!file) throw new Error('There is no file.');
    return file;
  };

  it('`folders` returns the names of the folders, and the number of the entries beside them', async () => {
    await opened.put('anna/a.txt', 'a');
    await opened.put('Überall/b.txt', 'b');
    const { names, others } = await inbox.folders();
    expect([...names].sort()).to.deep.equal(['anna', 'Überall']);
    expect(others).to.equal(0);
  });

  it("`files` returns what is in an owner's folder and its subfolders, at most `limit`, without ignored and skipped files", async () => {
    for (const path of ['a.txt', 'Trip/day 1/b.txt', '.hidden', '.taken/c.txt', 'constructor'])
      await opened.put(`anna/${path}`, path);
    await opened.put('otto/d.txt', 'd');
    const files = await inbox.files('anna', ALL);
    expect(files.map(({ path }) => path).sort()).to.deep.equal([
      'Trip/day 1/b.txt',
      'a.txt',
      'constructor',
    ]);
    expect(files.find(({ path }) => path === 'a.txt')).to.include({
      folder: 'anna',
      id: 'anna/a.txt',
      kind: 'file',
      size: 5,
    });
    expect(await inbox.files('anna', { ...ALL, limit: 2 })).to.have.length(2);
    const isSkipped = (id: string) => id !== 'anna/constructor';
    const left = await inbox.files('anna', { ...ALL, limit: 1, isSkipped });
    expect(left.map(({ path }) => path)).to.deep.equal(['constructor']);
    expect(await inbox.files('nowhere', ALL)).to.deep.equal([]);
  });

  it('A symbolic link is returned as such, and never followed', async () => {
    await opened.put('anna/link.txt', '/etc/hostname', 'link');
    const file = await only();
    expect(file.kind).to.equal('link');
    expect(await failure(textOf(inbox, file))).to.be.instanceOf(InboxFileChangedError);
  });

  it('`read` returns the bytes of a file', async () => {
    const long = 'Grey Skerry. '.repeat(60_000);
    await opened.put('anna/long.txt', long);
    await opened.put('otto/empty.txt', '');
    expect((await textOf(inbox, await only())) === long).to.equal(true);
    expect(await textOf(inbox, await only('otto'))).to.equal('');
  });

  it('`read` rejects with InboxFileChangedError if the file is not the one that was returned, before or while it is read', async () => {
    await opened.put('anna/a.txt', 'one');
    const first = await only();
    await opened.put('anna/a.txt', 'other');
    expect(await inbox.isCurrent(first)).to.equal(false);
    expect(await failure(textOf(inbox, first))).to.be.instanceOf(InboxFileChangedError);
    const second = await only();
    expect(await inbox.isCurrent(second)).to.equal(true);
    const reading = inbox.read(second)[Symbol.asyncIterator]();
    await reading.next();
    await opened.put('anna/a.txt', 'other, and longer');
    const rest = async () => {
      while (!(await reading.next()).done);
    };
    expect(await failure(rest())).to.be.instanceOf(InboxFileChangedError);
    const third = await only();
    await opened.remove('anna/a.txt');
    expect(await inbox.isCurrent(third)).to.equal(false);
    expect(await failure(textOf(inbox, third))).to.be.instanceOf(InboxFileChangedError);
  });

  it("`move` moves a file out of the way, below `.taken` or `.refused` in the owner's folder, with its subfolders", async () => {
    await opened.put('anna/Trip/day 1/a.txt', 'a');
    await inbox.move(await only(), { outcome: 'taken' });
    await opened.put('anna/Trip/b.txt', 'b');
    await inbox.move(await only(), { outcome: 'refused', reason: 'No.' });
    expect(await inbox.files('anna', ALL)).to.deep.equal([]);
    const moved = await opened.moved();
    expect(moved.get('anna/.taken/Trip/day 1/a.txt')).to.equal('a');
    expect(moved.get('anna/.refused/Trip/b.txt')).to.equal('b');
  });

  it('A refused file has its reason beside it', async () => {
    await opened.put('anna/a.txt', 'a');
    await inbox.move(await only(), { outcome: 'refused', reason: 'It is too large.' });
    const moved = await opened.moved();
    expect([...moved.keys()].sort()).to.deep.equal([
      'anna/.refused/a.txt',
      'anna/.refused/a.txt.txt',
    ]);
    expect(moved.get('anna/.refused/a.txt.txt')).to.equal('It is too large.\n');
  });

  it('A file that was moved never replaces another one', async () => {
    for (const text of ['one', 'two', 'three'])
      for (const outcome of ['taken', 'refused'] as const) {
        await opened.put('anna/a.txt', text);
        await inbox.move(await only(), { outcome, reason: text });
      }
    const moved = await opened.moved();
    for (const outcome of ['taken', 'refused']) {
      const names = ['a.txt', 'a (2).txt', 'a (3).txt'];
      const texts = names.map((name) => moved.get(`anna/.${outcome}/${name}`));
      expect(texts).to.deep.equal(['one', 'two', 'three']);
    }
    expect(moved.get('anna/.refused/a (3).txt.txt')).to.equal('three\n');
  });

  it('`move` rejects with InboxFileChangedError if the file is not the one that was returned, and leaves it where it is', async () => {
    await opened.put('anna/a.txt', 'one');
    const file = await only();
    await opened.put('anna/a.txt', 'other');
    const error = await failure(inbox.move(file, { outcome: 'taken' }));
    expect(error).to.be.instanceOf(InboxFileChangedError);
    expect(await textOf(inbox, await only())).to.equal('other');
    await opened.remove('anna/a.txt');
    const gone = await failure(inbox.move(file, { outcome: 'refused', reason: 'x' }));
    expect(gone).to.be.instanceOf(InboxFileChangedError);
    expect((await opened.moved()).size).to.equal(0);
  });

  it('`move` rejects with UnavailableError if the file can not be moved, and leaves it where it is', async () => {
    await opened.put('anna/a.txt', 'one');
    const file = await only();
    await opened.block('anna');
    const error = await failure(inbox.move(file, { outcome: 'taken' }));
    expect(error).to.be.instanceOf(UnavailableError);
    expect(await inbox.isCurrent(file)).to.equal(true);
  });

  it('No error names a file or a folder', async () => {
    await opened.put('secret-anna/secret-a.txt', 'one');
    const file = await only('secret-anna');
    await opened.block('secret-anna');
    const errors = [await failure(inbox.move(file, { outcome: 'taken' }))];
    await opened.remove('secret-anna/secret-a.txt');
    errors.push(await failure(inbox.move(file, { outcome: 'taken' })));
    errors.push(await failure(textOf(inbox, file)));
    for (const error of errors) {
      const { message, stack, cause } = error as Error;
      expect(`${message} ${stack} ${String(cause)}`).not.to.include('secret');
    }
  });
}
