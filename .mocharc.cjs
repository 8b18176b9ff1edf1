'use strict';

// Mocha adds the files it is told to run to those named here, so none are named when there are any.
const told = process.argv.slice(2).some((word) => /\.spec\.ts$/.test(word));

module.exports = {
  spec: told ? [] : ['contract-tests/**/*.spec.ts'],
  timeout: 30_000,
  slow: 2_000,
  reporter: 'scripts/reporter.cjs',
};
