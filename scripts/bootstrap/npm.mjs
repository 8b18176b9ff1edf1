import { environment, step } from './steps.mjs';

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;
/** npm waits up to a minute and a half by default before it says that there is no network. */
const PATIENCE = {
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '8000',
};

/** Installs exactly what the lock file in `folder` pins, each package held against its integrity. */
export async function cleanInstall(node, folder, line) {
  // The npm that runs us, else the one that is found; some other package manager can not read this lock file.
  const ours = /npm-cli\.js$/.test(process.env.npm_execpath || '');
  const [command, first] = ours ? [node, [process.env.npm_execpath]] : ['npm', []];
  const words = [...first, 'ci', '--no-progress', '--loglevel=error'];
  const env = { ...PATIENCE, ...environment(node) };
  await step(
    line,
    command,
    words,
    { cwd: folder, env, shell: process.platform === 'win32' },
    explain,
  );
}

function explain(output) {
  const unreachable = UNREACHABLE.exec(output);
  if (unreachable)
    return `npm can not reach the package registry (${unreachable[0]}). Nothing was changed; run it again with a network.`;
  if (output.includes('EINTEGRITY'))
    return 'npm got a package that is not the one the lock file pins (EINTEGRITY). Nothing was changed.';
  return `npm ci failed:\n${output}`;
}
