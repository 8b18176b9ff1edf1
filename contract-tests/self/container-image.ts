import { execFile } from 'node:child_process';
import { cp, link, mkdir, mkdtemp, chmod, copyFile, rm, stat, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DockerfileParser, type Copy, type From, type JSONInstruction } from 'dockerfile-ast';
import type { Env, Healthcheck, Instruction } from 'dockerfile-ast';

const run = promisify(execFile);

export const ROOT = join(import.meta.dirname, '../..');
export const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
export const instructions: readonly Instruction[] =
  DockerfileParser.parse(DOCKERFILE).getInstructions();

const of = (keyword: string): readonly Instruction[] =>
  instructions.filter((instruction) => instruction.getKeyword() === keyword);
export const last = (keyword: string): Instruction | undefined => of(keyword).at(-1);
export const words = (instruction: Instruction | undefined): readonly string[] =>
  instruction?.getArguments().map((argument) => argument.getValue()) ?? [];
/** The arguments of an exec form: no shell is involved. */
export const execForm = (instruction: Instruction | undefined): readonly string[] =>
  (instruction as JSONInstruction | undefined)
    ?.getJSONStrings()
    .map((text) => text.getJSONValue()) ?? [];
export const healthCommand = (): readonly string[] => {
  const content = (last('HEALTHCHECK') as Healthcheck | undefined)?.getArgumentsContent() ?? '';
  return JSON.parse(content.replace(/^CMD\s+/, '')) as string[];
};
export const stageOf = (copy: Instruction): string | undefined =>
  (copy as Copy)
    .getFlags()
    .find((flag) => flag.getName() === 'from')
    ?.getValue() ?? undefined;
/** The mode that COPY gives to everything it copies; undefined where it keeps the modes of the source. */
export const modeOf = (copy: Instruction): string | undefined =>
  (copy as Copy)
    .getFlags()
    .find((flag) => flag.getName() === 'chmod')
    ?.getValue() ?? undefined;
export const stageNames = (): readonly (string | null)[] =>
  of('FROM').map((from) => (from as From).getBuildStage());

/** Lines of .dockerignore, in order. A star matches dots as well, but no slash. */
const rules = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ sends: line.startsWith('!'), fits: patternOf(line.replace(/^!/, '')) }));

function patternOf(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*)/).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    return part === '*' ? '[^/]*' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/**
 * Whether a file or folder of the checkout is part of the build context. The last matching pattern for it or a parent
 * decides.
 */
export function isSent(path: string): boolean {
  const parts = path.split('/');
  const upTo = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
  let sent = true;
  for (const { sends, fits } of rules) if (upTo.some((it) => fits.test(it))) sent = sends;
  return sent;
}

/** The last stage, built in a folder that stands for the file system of an image. */
export interface Image {
  /** The folder of the image's root. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The uid and gid that it runs with; undefined where this process may not change to them. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** Words of a command, with their paths in the folder. */
  at(command: readonly string[]): readonly string[];
  dispose(): Promise<void>;
}

interface Stage {
  readonly root: string;
  readonly env: Record<string, string>;
  cwd: string;
}

/**
 * Executes the Dockerfile instruction by instruction, each stage in an empty folder that replaces the root of
 * absolute paths. COPY uses only what .dockerignore allows. Two steps are simulated: `npm ci` copies the installed
 * packages, after checking that they match the lock file, and a copy of the current Node replaces the base image.
 * Other contents of the base image, and behaviour of the container engine, are not tested.
 */
export async function makeImage(): Promise<Image> {
  const place = await mkdtemp(join(await folderFor(USER, [tmpdir(), ...SHARED]), 'ow-image-'));
  const dispose = () => rm(place, { recursive: true, force: true, maxRetries: 5 });
  // As in the base image.
  const umask = process.umask(0o022);
  try {
    return { ...(await makeIn(place)), dispose };
  } catch (error) {
    await dispose();
    throw error;
  } finally {
    process.umask(umask);
  }
}

/** The user of the Dockerfile, where this process may change to it. */
const [uid = NaN, gid = NaN] = (words(last('USER'))[0] ?? '').split(':').map(Number);
export const USER: Image['user'] = process.getuid?.() === 0 ? { uid, gid } : undefined;

/** Temporary folders that every user may enter. That of root may be in a folder that is closed to others. */
const SHARED = ['/tmp', '/var/tmp'];

/** The first of these folders that the user can enter; without a user the first one. */
export async function folderFor(user: Image['user'], folders: readonly string[]): Promise<string> {
  if (!user) return folders[0] ?? '';
  for (const folder of folders) {
    const enter = run('sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', ...user });
    if (await enter.then(...DONE)) return folder;
  }
  throw new Error(`User ${user.uid} can enter none of these folders: ${folders.join(', ')}`);
}

async function makeIn(place: string): Promise<Omit<Image, 'dispose'>> {
  // Another user is to run it.
  await chmod(place, 0o755);
  const tools = await makeTools(join(place, 'tools'));
  const stages = new Map<string, Stage>();
  let stage: Stage = { root: place, env: {}, cwd: place };
  for (const instruction of instructions)
    switch (instruction.getKeyword()) {
      case 'FROM': {
        const name = (instruction as From).getBuildStage() ?? String(stages.size);
        const root = join(place, `stage-${name}`);
        stage = { root, env: {}, cwd: root };
        stages.set(name, stage);
        await mkdir(join(root, 'usr/local/bin'), { recursive: true });
        break;
      }
      case 'ENV':
        for (const property of (instruction as Env).getProperties())
          stage.env[property.getName()] = within(stage.root, property.getValue() ?? '');
        break;
      case 'WORKDIR':
        stage.cwd = within(stage.root, words(instruction)[0] ?? '/');
        await mkdir(stage.cwd, { recursive: true });
        break;
      case 'COPY':
        await copy(instruction, stage, stages);
        break;
      case 'RUN':
        await run('sh', ['-euc', within(stage.root, textOf(instruction))], {
          cwd: stage.cwd,
          env: { ...stage.env, PATH: `${tools}:${process.env['PATH'] ?? ''}` },
        });
        break;
    }
  const { root, env, cwd } = stage;
  const bin = join(root, 'usr/local/bin');
  await linkOrCopy(process.execPath, join(bin, 'node'));
  return {
    root,
    env: { PATH: `${bin}:/usr/bin:/bin`, ...env },
    cwd,
    user: USER,
    at: (command) => command.map((word) => within(root, word)),
  };
}

const textOf = (instruction: Instruction): string =>
  (instruction.getArgumentsContent() ?? '').replaceAll('\\\n', ' ');

/** Every absolute path in the text, moved into the folder. */
const within = (root: string, text: string): string =>
  text.replace(/(^|[\s=])\/(?=[a-z])/g, `$1${root}/`);

async function copy(
  instruction: Instruction,
  stage: Stage,
  stages: ReadonlyMap<string, Stage>,
): Promise<void> {
  const paths = words(instruction);
  const target = paths.at(-1) ?? '';
  const to = isAbsolute(target) ? join(stage.root, target) : resolve(stage.cwd, target);
  const from = stageOf(instruction);
  for (const source of paths.slice(0, -1)) {
    // A target with a trailing slash is a folder for the file; a source folder becomes the target.
    const name = target.endsWith('/') ? join(to, source.split('/').at(-1) ?? '') : to;
    await mkdir(dirname(name), { recursive: true });
    const other = from === undefined ? undefined : stages.get(from);
    if (from !== undefined && other === undefined) throw new Error(`There is no stage ${from}.`);
    if (other) await linkTree(join(other.root, source), name);
    else
      await cp(join(ROOT, source), name, {
        recursive: true,
        errorOnExist: true,
        force: false,
        filter: (path) => isSent(relative(ROOT, path)),
      });
    const mode = modeOf(instruction);
    if (mode !== undefined) await run('chmod', ['-R', mode, name]);
  }
}

/** As hard links if possible: users of the tree replace files and do not modify them. */
async function linkTree(from: string, to: string): Promise<void> {
  await run('cp', ['-al', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true });
    await run('cp', ['-a', from, to]);
  });
}

/** A program for every user. It is a link where the file systems and its own mode allow it. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  const open = ((await stat(from)).mode & 0o005) === 0o005;
  if (open && (await link(from, to).then(...DONE))) return;
  await copyFile(from, to);
  await chmod(to, 0o755);
}

const DONE = [() => true, () => false] as const;

/** Programs that replace the machine's while the image is built. */
async function makeTools(folder: string): Promise<string> {
  await mkdir(folder);
  const npm = process.env['npm_execpath']?.endsWith('npm-cli.js')
    ? `"${process.execPath}" "${process.env['npm_execpath']}"`
    : 'npm';
  await tool(
    join(folder, 'npm'),
    `
# A folder of the checkout, as links. Where other users can not read the checkout it is a copy that they can read.
take() {
  closed=$(find "${ROOT}/$1" ! -type l ! -perm -o=r -print -quit)
  if [ -z "$closed" ] && cp -al "${ROOT}/$1" . 2>/dev/null; then return; fi
  rm -rf "$1"
  cp -a "${ROOT}/$1" .
  chmod -R go+rX "$1"
}
if [ "$1" = ci ]; then
  cmp package-lock.json "${ROOT}/package-lock.json"
  take node_modules
  # Written in place later on, and therefore no links; the stamp is our own, npm would not have left it.
  cp --remove-destination "${ROOT}/node_modules/.package-lock.json" node_modules/
  rm -f node_modules/.owner-workspace
  exit
fi
# The build is skipped where it was made of the same sources, settings and lock file, by their digest; else it is made.
if [ "$1 $2" = 'run build' ] && [ -e "${ROOT}/dist" ]; then take dist; fi
export npm_config_offline=true
export PATH="${dirname(process.execPath)}:${process.env['PATH'] ?? ''}"
exec ${npm} "$@"`,
  );
  // Only root may change the owner of files.
  if (process.getuid?.() !== 0) await tool(join(folder, 'chown'), 'exit 0');
  return folder;
}

async function tool(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\nset -eu\n${script}\n`, { mode: 0o755 });
}
