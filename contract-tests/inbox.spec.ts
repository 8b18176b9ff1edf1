import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { FolderInbox } from '../adapters/inbox-fs/inbox.ts';
import { nthName } from '../adapters/inbox-fs/move-file.ts';
import { MemoryInbox } from '../adapters/memory/inbox.ts';
import { UnavailableError } from '../ports/errors.ts';
import { InboxFileChangedError, type InboxFile } from '../ports/inbox.ts';
import { ALL, failure, inboxContract, textOf, type OpenInbox } from './suites/inbox.ts';
import { eventually } from './http/harness.ts';

const isLinux = process.platform === 'linux';

async function openFolder(polls = true): Promise<OpenInbox & { readonly root: string }> {
  const root = await mkdtemp(join(tmpdir(), 'inbox-'));
  const inbox = new FolderInbox({ path: root, polls });
  return {
    root,
    inbox,
    put: async (id, text, kind = 'file') => {
      const path = join(root, id);
      await mkdir(dirname(path), { recursive: true });
      if (kind === 'link') await symlink(text, path);
      else if (kind === 'other') execFileSync('mkfifo', [path]);
      else await writeFile(path, text);
    },
    remove: (id) => unlink(join(root, id)),
    moved: async () => {
      const found = new Map<string, string>();
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      for (const entry of entries) {
        const path = join(entry.parentPath, entry.name);
        const id = relative(root, path);
        if (entry.isFile() && /\/\.(taken|refused)\//.test(id))
          found.set(id, await readFile(path, 'utf8'));
      }
      return found;
    },
    // A file in the place of the folders. Permissions would not stop a test that runs as root.
    block: async (folder) => {
      for (const name of ['.taken', '.refused'])
        await writeFile(join(root, folder, name), 'in the way');
    },
    close: async () => {
      await inbox.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

describe('memory: inbox', () => {
  inboxContract(() => {
    const inbox = new MemoryInbox();
    return Promise.resolve({
      inbox,
      put: (id, text, kind = 'file') => Promise.resolve(inbox.put(id, text, { kind })),
      remove: (id) => Promise.resolve(inbox.remove(id)),
      moved: () => Promise.resolve(inbox.moved),
      block: () => Promise.resolve(void (inbox.isStuck = true)),
      close: () => inbox.close(),
    });
  });
});

describe('folder: inbox', () => {
  inboxContract(() => openFolder());
});

describe('an inbox in a folder', () => {
  let opened: Awaited<ReturnType<typeof openFolder>>;
  beforeEach(async () => {
    opened = await openFolder();
  });
  afterEach(() => opened.close());
  const files = (folder = 'anna') => opened.inbox.files(folder, ALL);
  const only = async (): Promise<InboxFile> => {
    const found = await files();
    expect(found).to.have.length(1);
    return found[0] as InboxFile;
  };

  it('counts files and links beside the folders, and never enters a linked folder', async () => {
    await opened.put('other/a.txt', 'a');
    await writeFile(join(opened.root, 'stray.txt'), 'x');
    await symlink('other', join(opened.root, 'anna'));
    expect(await opened.inbox.folders()).to.deep.equal({ names: ['other'], others: 2 });
    expect(await files('anna')).to.deep.equal([]);
  });

  it('returns a linked subfolder as a link, and moves the link itself', async () => {
    await opened.put('other/a.txt', 'a');
    await opened.put('anna/sub', '../other', 'link');
    const file = await only();
    expect(file.kind).to.equal('link');
    await opened.inbox.move(file, { outcome: 'refused', reason: 'It is a link.' });
    expect(await files()).to.deep.equal([]);
    expect(await files('other')).to.have.length(1);
  });

  if (isLinux) {
    it('reads nothing through a folder that was replaced by a link', async () => {
      await opened.put('anna/sub/a.txt', 'mine');
      await opened.put('other/a.txt', 'mine');
      const file = await only();
      await rename(join(opened.root, 'anna/sub'), join(opened.root, 'anna/.away'));
      await symlink('../other', join(opened.root, 'anna/sub'));
      expect(await failure(textOf(opened.inbox, file))).to.be.instanceOf(InboxFileChangedError);
      const move = opened.inbox.move(file, { outcome: 'taken' });
      expect(await failure(move)).to.be.instanceOf(InboxFileChangedError);
      expect(await files('other')).to.have.length(1);
    });

    it('moves nothing through `.taken` if that is a link', async () => {
      await opened.put('anna/a.txt', 'mine');
      await mkdir(join(opened.root, 'other'));
      await symlink('../other', join(opened.root, 'anna/.taken'));
      const move = opened.inbox.move(await only(), { outcome: 'taken' });
      expect(await failure(move)).to.be.instanceOf(UnavailableError);
      expect(await files('other')).to.deep.equal([]);
      expect(await only()).to.include({ size: 4 });
    });

    it('returns a pipe without waiting for it, and can move it', async () => {
      await opened.put('anna/pipe', '', 'other');
      const file = await only();
      expect(file.kind).to.equal('other');
      expect(await failure(textOf(opened.inbox, file))).to.be.instanceOf(InboxFileChangedError);
      await opened.inbox.move(file, { outcome: 'refused', reason: 'It is a pipe.' });
      expect(await files()).to.deep.equal([]);
    });

    it('returns and moves names of any bytes', async () => {
      const names = [
        Buffer.from([0x61, 0xff, 0xfe]),
        Buffer.from('new\nline'),
        Buffer.from('\u00e9'.repeat(127)),
        Buffer.alloc(255, 'x'),
        Buffer.alloc(255, 0xff),
        Buffer.from(' ..'),
        Buffer.from('back\\slash'),
      ];
      await mkdir(join(opened.root, 'anna'));
      const folder = Buffer.from(`${join(opened.root, 'anna')}/`);
      for (const name of names) await writeFile(Buffer.concat([folder, name]), name);
      const found = await files();
      expect(found).to.have.length(names.length);
      expect(found.filter(({ path }) => path === null)).to.have.length(2);
      for (const file of found) {
        expect(await textOf(opened.inbox, file)).to.equal(
          Buffer.from(file.id.slice(5), 'latin1').toString(),
        );
        await opened.inbox.move(file, { outcome: 'refused', reason: 'Its name is odd.' });
      }
      expect(await files()).to.deep.equal([]);
      const refused = await readdir(join(opened.root, 'anna/.refused'), { encoding: 'buffer' });
      expect(refused).to.have.length(2 * names.length);
    });
  }

  it('does not read a file to the end that grows while it is read', async () => {
    await opened.put('anna/log.txt', 'x'.repeat(300_000));
    const file = await only();
    const path = join(opened.root, 'anna/log.txt');
    const reading = opened.inbox.read(file)[Symbol.asyncIterator]();
    await reading.next();
    await appendFile(path, 'y'.repeat(600_000));
    let size = 0;
    const rest = async () => {
      for (let next = await reading.next(); !next.done; next = await reading.next())
        size += next.value.length;
    };
    expect(await failure(rest())).to.be.instanceOf(InboxFileChangedError);
    expect(size).to.be.below(300_000);
  });

  it('notices other bytes of the same length and time', async () => {
    await opened.put('anna/a.txt', 'one');
    const path = join(opened.root, 'anna/a.txt');
    await utimes(path, 1_000, 1_000);
    const file = await only();
    await writeFile(path, 'two');
    await utimes(path, 1_000, 1_000);
    expect(await opened.inbox.isCurrent(file)).to.equal(false);
  });

  it('reports a missing folder as an outage without its name', async () => {
    await rm(opened.root, { recursive: true });
    const error = (await failure(opened.inbox.folders())) as Error;
    expect(error).to.be.instanceOf(UnavailableError);
    expect(error.message).to.equal('The inbox does not work: ENOENT.');
  });

  it('reports changes in folders that are made later, and none in ignored ones', async () => {
    await opened.close();
    opened = await openFolder(false);
    const { inbox } = opened;
    let changes = 0;
    const noticed = async (work: () => Promise<void>) => {
      // The watch is not established at once: the work is repeated until it is seen.
      const before = changes;
      await eventually(
        async () => (await work(), changes),
        (count) => count > before,
      );
    };
    inbox.watch(
      (name) => ALL.isIgnored(name),
      () => changes++,
    );
    expect(inbox.watching()).to.equal('events');
    await noticed(() => opened.put('anna/a.txt', String(changes)));
    await noticed(() => opened.put('anna/new/deep/b.txt', String(Math.random())));
    await noticed(() => appendFile(join(opened.root, 'anna/new/deep/b.txt'), 'more'));
    await inbox.close();
    expect(inbox.watching()).to.equal('unavailable');
  });
});

describe('names of moved files', () => {
  it('fit a file system with their reason, and differ', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }),
          fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
          fc.stringMatching(/^x{200,255}$/),
        ),
        (text) => {
          const name = Buffer.from(text.replaceAll(/[\0/]/g, '_'))
            .subarray(0, 255)
            .toString('latin1');
          const names = [1, 2, 3, 60].map((nth) => nthName(name, nth));
          expect(new Set(names).size).to.equal(4);
          for (const each of names) expect(each.length).to.be.within(1, 251);
          if (name.length <= 240) expect(names[0]).to.equal(name);
        },
      ),
    ));
});
