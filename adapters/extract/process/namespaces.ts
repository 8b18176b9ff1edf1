import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { promisify } from 'node:util';
import { modulesOf } from './modules.ts';

/** Start options of a process that may read its own code only. */
export interface ConfinedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Confines a process by the system. Unlike Node's permission model, this binds native code as well. */
export interface SystemConfinement {
  readonly isInForce: boolean;
  /**
   * The command with a file system of `paths` alone, all of them read-only, and without a network. It does not start if the
   * system refuses.
   */
  wrap(command: ConfinedCommand, paths: readonly string[]): ConfinedCommand;
}

export const NOT_CONFINED: SystemConfinement = { isInForce: false, wrap: (command) => command };

/** What a dynamically linked program needs, and the fonts that a decoder of drawings uses. */
const SYSTEM = ['/usr', '/bin', '/lib', '/lib32', '/lib64', '/etc/ld.so.cache', '/etc/fonts'];
/** Folders over which the new root is mounted: the first that is there and holds none of the paths. */
const ROOTS = ['/mnt', '/media', '/srv', '/sys'];

/**
 * Linux namespaces of an unprivileged user (user_namespaces(7)): the process is root in one of its own, where it mounts the
 * paths on an empty root, then loses every capability. The programs are part of util-linux, which Debian always has. A
 * mount that is `noexec` has to remain so. The old root cannot be unmounted without /proc; without capabilities the mount
 * over it cannot be removed.
 */
const SCRIPT = `set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1
shift
mount -t tmpfs -o mode=755,size=256k,nosuid,nodev confined "$root"
cd "$root"
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root\${1%/*}"; : > "$root$1"; fi
  mount -o bind,ro,nosuid,nodev "$1" "$root$1" 2>/dev/null ||
    mount -o remount,bind,ro,nosuid,nodev,noexec "$root$1"
  shift
done
shift
mkdir old
mount -o remount,bind,ro,nosuid,nodev "$root"
pivot_root . old
cd /
mount -t tmpfs -o mode=0,size=4k,ro hidden /old
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`;
const UNSHARE = '/usr/bin/unshare';
const UNSHARED = '--user --map-root-user --mount --net --ipc --propagation private'.split(' ');

const NAMESPACES: SystemConfinement = {
  isInForce: true,
  wrap: ({ file, args, env }, paths) => {
    const needed = outermost([...SYSTEM, ...paths].filter((path) => existsSync(path)));
    const root = ROOTS.find((folder) => existsSync(folder) && !holds(folder, needed));
    if (root === undefined) throw new Error('There is no folder for the root of a process.');
    const script = ['/bin/sh', '-c', SCRIPT, 'sh', root, ...needed, '--', file, ...args];
    return { file: UNSHARE, args: [...UNSHARED, '--', ...script], env };
  },
};

/** The paths and the targets of those that are links, without paths that lie in others. */
function outermost(paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths.flatMap((path) => [path, realpathSync(path)]))];
  return all.filter((path) => !all.some((other) => other !== path && isIn(path, other)));
}

const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
const holds = (folder: string, paths: readonly string[]): boolean =>
  paths.some((path) => path === folder || isIn(path, folder));

const PROBE_MS = 5_000;

/**
 * Tries whether this system lets an unprivileged user have namespaces with these paths and the service's own code. A container
 * usually does not.
 */
export async function systemConfinement(paths: readonly string[] = []): Promise<SystemConfinement> {
  if (process.platform !== 'linux' || !existsSync(UNSHARE)) return NOT_CONFINED;
  const probe = { file: '/bin/sh', args: ['-c', 'test ! -e /proc/self'], env: {} };
  const own = [process.execPath, import.meta.dirname, modulesOf('sharp')];
  const { file, args, env } = NAMESPACES.wrap(probe, [...own, ...paths]);
  try {
    await promisify(execFile)(file, args, { env, timeout: PROBE_MS, killSignal: 'SIGKILL' });
    return NAMESPACES;
  } catch {
    // Each reason has this one effect, which the log and the health check report.
    return NOT_CONFINED;
  }
}
