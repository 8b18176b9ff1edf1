import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';

/** A drill that cannot run on this machine, with the reason. */
export class DrillSkipped extends Error {
  override readonly name = 'DrillSkipped';
}

const DEBIAN = '/usr/lib/postgresql';

/** The location of a program: on the path, or in Debian's folder for the server's programs. */
export function findProgram(name: string): string {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ];
  const found = folders.map((folder) => join(folder, name)).find(isProgram);
  if (found === undefined) throw new DrillSkipped(`${name} is not installed`);
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Missing, or not executable by this user: the next location is tried.
    return false;
  }
}

/** The user for a server that refuses to run as root. */
export function ordinaryUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    const idOf = (what: string) =>
      Number(execFileSync('id', [what, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    throw new DrillSkipped('there is no user postgres, and Postgres does not run as root');
  }
}

/** A port that is not in use. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
