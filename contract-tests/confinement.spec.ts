import Database from 'better-sqlite3';
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { confinementProbe } from '../adapters/extract/health.ts';
import { confinedCommand } from '../adapters/extract/process/confinement.ts';
import {
  NOT_CONFINED,
  systemConfinement,
  type SystemConfinement,
} from '../adapters/extract/process/namespaces.ts';

describe('the confinement of native code', function () {
  this.timeout(60_000);
  let folder: string;
  let database: string;
  let server: Server;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ow-confined-'));
    database = join(folder, 'workspace.db');
    new Database(database).exec('create table secrets (secret)').close();
    server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  /** What an addon in the child gets to. */
  async function reached(confinement: SystemConfinement): Promise<object> {
    const { file, args, env } = confinedCommand(
      {
        entry: join(import.meta.dirname, 'samples/hostile/native-probe.ts'),
        code: [join(import.meta.dirname, '../adapters/extract')],
        packages: ['better-sqlite3'],
        addons: true,
        heapMiB: 64,
        cpuSeconds: 30,
      },
      confinement,
    );
    const { port } = server.address() as AddressInfo;
    const probe = [database, String(port)];
    return JSON.parse((await promisify(execFile)(file, [...args, ...probe], { env })).stdout);
  }

  it('is none without the system: the database and the network are in reach', async () => {
    expect(await reached(NOT_CONFINED)).to.deep.equal({ file: true, network: true });
    expect(await confinementProbe(NOT_CONFINED).check()).to.include({ status: 'off' });
  });

  it('keeps the database and the network out of reach exactly where it says that it is in force', async () => {
    const confinement = await systemConfinement();
    const { isInForce } = confinement;
    const out = { file: !isInForce, network: !isInForce };
    expect(await reached(confinement)).to.deep.equal(out);
    const status = isInForce ? 'ok' : 'off';
    expect(await confinementProbe(confinement).check()).to.include({ status });
  });

  it('gives a process the named paths only, with any names and read-only, where it is in force', async () => {
    const shown = join(folder, `it's a "$(folder)" \\ of`);
    await mkdir(shown);
    await writeFile(join(shown, 'a text'), 'shown\n');
    const confinement = await systemConfinement([shown]);
    const script =
      'cat "$1/a text"; for p in "$2" /proc/1; do test -e "$p"; echo $?; done; echo x > "$1/new"; echo $?';
    const { file, args, env } = confinement.wrap(
      { file: '/bin/sh', args: ['-c', script, 'sh', shown, database], env: {} },
      [shown],
    );
    const { stdout } = await promisify(execFile)(file, args, { env });
    const { isInForce } = confinement;
    const outcome = isInForce ? ['shown', '1', '1', '2'] : ['shown', '0', '0', '0'];
    expect(stdout.trim().split('\n')).to.deep.equal(outcome);
    expect(await readdir(shown)).to.have.members(isInForce ? ['a text'] : ['a text', 'new']);
  });
});
