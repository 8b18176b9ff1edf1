import { ensureBuild } from './build.mjs';
import { ensurePackages } from './packages.mjs';
import { suitableNode } from './runtime.mjs';
import { FatalError, say } from './steps.mjs';

/** The preconditions of every command. Each takes milliseconds once it is met. Returns the Node to use. */
export async function setUp({ build }) {
  const node = await suitableNode();
  await ensurePackages(node);
  if (build) await ensureBuild(node);
  return node;
}

/** Runs a command and converts errors into one line and an exit status. */
export async function command(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    say(`owner-workspace: ${error.message}`);
    process.exit(error.status);
  }
}
