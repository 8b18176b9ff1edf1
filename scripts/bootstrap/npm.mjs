import { environment, step } from './steps.mjs';

const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;
/** By default npm waits up to a minute and a half before it reports a missing network. */
const PATIENCE = {
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '8000',
};

/**
 * Installs exactly the versions pinned by the lock file in `folder`, each package checked against its integrity hash.
 */
export async function cleanInstall(node, folder, line) {
  // The npm that runs this script, else the one on the path. Other package managers cannot read this lock file.
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
