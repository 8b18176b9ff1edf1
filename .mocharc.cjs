'use strict';

// Mocha adds the files it is told to run to those named here, so none are named when there are any.
const told = process.argv.slice(2).some((word) => /\.ts$/.test(word));

module.exports = {
  spec: told ? [] : ['contract-tests/**/*.spec.ts'],
  require: ['contract-tests/root-hooks.ts'],
  timeout: 30_000,
  slow: 2_000,
  reporter: 'scripts/reporter.cjs',
  // A handle that a spec left open does not keep the process alive.
  exit: true,
  // A test marked with `only` would leave out all others.
  forbidOnly: process.env.CI === 'true',
};
