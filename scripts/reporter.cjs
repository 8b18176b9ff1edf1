'use strict';
const { reporters, Runner } = require('mocha');

const { EVENT_RUN_END, EVENT_SUITE_BEGIN, EVENT_SUITE_END, EVENT_TEST_END, EVENT_TEST_FAIL } =
  Runner.constants;

/** One line for each suite at the top as it ends, mocha's own account of the failures, and a closing line for scripts. */
module.exports = class Compact extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    const print = reporters.Base.consoleLog;
    let tests = 0;
    let failures = 0;
    let since = Date.now();

    const close = (title) => {
      const told = failures === 0 ? `${tests}` : `${failures} of ${tests} FAILED`;
      if (tests > 0) print(`  ${title}: ${told} (${((Date.now() - since) / 1_000).toFixed(1)} s)`);
      tests = failures = 0;
      since = Date.now();
    };
    runner.on(EVENT_TEST_END, () => void tests++);
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      failures++;
      // The reason of a failure is printed immediately, for readers who see only a part of the output.
      print(`  FAILED ${test.fullTitle()}: ${String(error?.message ?? error).slice(0, 300)}`);
    });
    const isTop = (suite) => suite.parent && suite.parent.root;
    runner.on(EVENT_SUITE_BEGIN, (suite) => isTop(suite) && close('outside of any suite'));
    runner.on(EVENT_SUITE_END, (suite) => isTop(suite) && close(suite.title));
    runner.once(EVENT_RUN_END, () => {
      close('outside of any suite');
      this.epilogue();
      const { passes, failures: failed, pending } = this.stats;
      print(`${passes} passed, ${failed} failed, ${pending} skipped`);
    });
  }
};
