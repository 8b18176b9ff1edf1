'use strict';
const { reporters, Runner } = require('mocha');

/** Mocha's own report, and one plain closing line that any script can read. */
module.exports = class ClosingLine extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      setImmediate(() =>
        process.stdout.write(`${passes} passed, ${failures} failed, ${pending} skipped\n`),
      );
    });
  }
};
