import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import {
  access,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually, profiles, startService, type Service } from './harness.ts';

const WITHIN_MS = 60_000;

for (const profile of profiles)
  describe(`${profile}: the inbox`, function () {
    this.timeout(240_000);
    let root: string;
    let folder: string;
    let service: Service;
    before(async () => {
      root = await mkdtemp(join(tmpdir(), 'inbox-'));
      service = await startService(profile, {
        INBOX_DIR: root,
        INBOX_SETTLE_SECONDS: '0',
        LOG_LEVEL: 'warn',
      });
      const me = await service.call('GET', '/v1/me');
      folder = join(root, me.json.name ?? me.json.owner.name);
      await mkdir(folder);
    });
    after(async () => {
      await service.dispose();
      await rm(root, { recursive: true, force: true });
    });

    /** Appears complete, as a file does that was moved there. */
    const put = async (path: string, text: string): Promise<void> => {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      const made = join(folder, '.incomplete');
      await writeFile(made, text);
      await rename(made, target);
    };
    const names = async (of = service): Promise<readonly string[]> => {
      const { json } = await of.call('GET', '/v1/objects?limit=100');
      return json.items.map(({ filename }: { filename: string }) => filename).sort();
    };
    const isThere = (path: string): Promise<boolean> =>
      access(join(folder, path)).then(
        () => true,
        () => false,
      );
    const appears = (path: string) => eventually(() => isThere(path), Boolean, WITHIN_MS);
    const count = async (name: string) => (await names()).filter((each) => each === name).length;
    const check = async () => {
      const { json } = await service.call('GET', '/health/deep');
      return json.checks.find((each: { name: string }) => each.name === 'inbox');
    };

    it('takes in files and folders, and moves them', async () => {
      await put('secret-a.txt', 'A lamp is lit.');
      await put('Trip/day 1/secret-b.txt', 'Another lamp is lit.');
      expect(await appears('.taken/secret-a.txt')).to.equal(true);
      expect(await appears('.taken/Trip/day 1/secret-b.txt')).to.equal(true);
      expect(await names()).to.deep.equal(['secret-a.txt', 'secret-b.txt']);
      const { json } = await service.call('GET', '/v1/collections');
      expect(json.items.map(({ name }: { name: string }) => name)).to.deep.equal(['day 1']);
      const { status, detail } = await check();
      expect(status).to.equal('ok');
      expect(detail).to.match(/^Watching\. Last file taken at \d{4}-\S+Z\.$/);
    });

    it('tells the origin of a file', async () => {
      const { json } = await service.call('GET', '/v1/objects?limit=1');
      const versions = await service.call('GET', `/v1/objects/${json.items[0].id}/versions`);
      expect(versions.json.items.map(({ origin }: { origin: string }) => origin)).to.deep.equal([
        'inbox',
      ]);
    });

    it('refuses links, pipes and invalid names with the reason, and names none of them in the log', async () => {
      await symlink('/etc/hostname', join(folder, 'secret-link.txt'));
      execFileSync('mkfifo', [join(folder, 'secret-pipe')]);
      await put('secret\nline.txt', 'x');
      await mkdir(join(root, 'secret-stranger'));
      for (const name of ['secret-link.txt', 'secret-pipe', 'secret\nline.txt'])
        expect(await appears(`.refused/${name}.txt`), name).to.equal(true);
      const reason = await readFile(join(folder, '.refused/secret-link.txt.txt'), 'utf8');
      expect(reason).to.equal('It is a symbolic link. Put the file itself here.\n');
      expect(await names()).to.have.length(2);
      const found = await eventually(check, ({ detail }) => /without an owner/.test(detail));
      expect(found.detail).to.include('3 files refused. 1 folder without an owner.');
      const logged = () => Promise.resolve(service.logged());
      const log = await eventually(logged, (text) => /named like no owner/.test(text));
      expect(log).to.include('1 folders of INBOX_DIR are named like no owner.');
      expect(log).not.to.match(/secret|inbox-/);
    });

    it('leaves partial downloads and hidden files alone', async () => {
      for (const name of ['a.pdf.part', 'b.crdownload', '~$c.docx', '.d.txt'])
        await writeFile(join(folder, name), 'x');
      await put('last.txt', 'last');
      await appears('.taken/last.txt');
      expect(await names()).to.have.length(3);
      expect(await isThere('a.pdf.part')).to.equal(true);
    });

    it('stores a file once that was stored and not moved when the process was killed', async () => {
      await rename(join(folder, '.taken'), join(folder, '.away'));
      await writeFile(join(folder, '.taken'), 'in the way');
      await put('once.txt', 'Stored once.');
      await eventually(
        () => count('once.txt'),
        (found) => found === 1,
        WITHIN_MS,
      );
      const found = await eventually(check, ({ status }) => status === 'failed', WITHIN_MS);
      expect(found.detail).to.equal('1 file can not be moved.');
      await service.stop('SIGKILL');
      expect(await isThere('once.txt')).to.equal(true);
      await unlink(join(folder, '.taken'));
      service = await service.restart();
      expect(await appears('.taken/once.txt')).to.equal(true);
      expect(await count('once.txt')).to.equal(1);
    });

    it('stores a file once whose process was killed while it read it', async () => {
      const bytes = 200_000_000;
      await put('.large', '');
      await truncate(join(folder, '.large'), bytes);
      await rename(join(folder, '.large'), join(folder, 'large.bin'));
      const incoming = join(service.dataDir, 'incoming');
      await eventually(
        () => readdir(incoming),
        (files) => files.length > 0,
      );
      service = await service.restart('SIGKILL');
      expect(await appears('.taken/large.bin')).to.equal(true);
      expect(await count('large.bin')).to.equal(1);
    });

    if (profile === 'team')
      it('takes each file in once with several processes, of which one polls', async () => {
        const other = await service.beside({ INBOX_POLL_SECONDS: '1' });
        try {
          const many = Array.from({ length: 60 }, (_, nth) => `many-${nth}.txt`);
          for (const name of many) await put(name, name);
          const waiting = async () =>
            (await readdir(folder)).filter((name) => name.startsWith('many')).length;
          await eventually(waiting, (left) => left === 0, WITHIN_MS);
          const stored = (await names()).filter((name) => name.startsWith('many'));
          expect(stored).to.deep.equal([...many].sort());
          const taken = await readdir(join(folder, '.taken'));
          expect(taken.filter((name) => name.startsWith('many')).sort()).to.deep.equal(
            [...many].sort(),
          );
        } finally {
          await other.stop();
        }
      });
  });
