'use strict';
const { writeSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters, Runner } = require('mocha');

const {
  EVENT_RUN_BEGIN,
  EVENT_RUN_END,
  EVENT_SUITE_BEGIN,
  EVENT_SUITE_END,
  EVENT_HOOK_BEGIN,
  EVENT_TEST_BEGIN,
  EVENT_TEST_END,
  EVENT_TEST_FAIL,
} = Runner.constants;

/** A pipe to the runner of the specs (scripts/specs). Processes started by a spec do not inherit it. */
const CHANNEL = process.env.SPEC_EVENTS_FD;
delete process.env.SPEC_EVENTS_FD;

/** JSON in one line: the reader of lines also splits at the separators that JSON leaves as they are. */
const lineOf = (event) =>
  JSON.stringify(event).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/** Synchronous, so that no event is lost when the process ends. */
const send = (event) => {
  if (CHANNEL === undefined) return;
  try {
    writeSync(Number(CHANNEL), `${lineOf(event)}\n`);
  } catch (error) {
    // The runner was killed: no process waits for this one.
    if (error.code === 'EPIPE') process.exit(1);
    throw error;
  }
};

const MAX_MESSAGE_LENGTH = 300;
const messageOf = (error) => String(error?.message ?? error).slice(0, MAX_MESSAGE_LENGTH);

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
      print(`  FAILED ${test.fullTitle()}: ${messageOf(error)}`);
    });
    const isTop = (suite) => suite.parent && suite.parent.root;
    runner.on(EVENT_SUITE_BEGIN, (suite) => isTop(suite) && close('outside of any suite'));
    runner.on(EVENT_SUITE_END, (suite) => isTop(suite) && close(suite.title));
    runner.once(EVENT_RUN_END, () => {
      close('outside of any suite');
      this.epilogue();
      const { passes, failures: failed, pending } = this.stats;
      // Tests behind a failed hook do not run: they count as failed.
      const notPassed = Math.max(failed, runner.total - passes - pending);
      print(`${passes} passed, ${notPassed} failed, ${pending} skipped`);
    });
    sendEvents(runner);
  }
};

/** Reports to the runner which files were loaded, what begins, and how it ends. Paths are relative to the project. */
function sendEvents(runner) {
  // A hook of the whole run has no file: it counts for the file that ran last.
  let file = '';
  const fileOf = (runnable) => (file = runnable.file ? relative('', runnable.file) : file);
  runner.once(EVENT_RUN_BEGIN, () => {
    const planned = {};
    runner.suite.eachTest((test) => (planned[fileOf(test)] = (planned[fileOf(test)] ?? 0) + 1));
    file = Object.keys(planned)[0] ?? '';
    send({ event: 'loaded', planned });
  });
  const begins = (runnable) =>
    send({ event: 'begins', file: fileOf(runnable), title: runnable.fullTitle() });
  runner.on(EVENT_HOOK_BEGIN, begins);
  runner.on(EVENT_TEST_BEGIN, begins);
  runner.on(EVENT_TEST_FAIL, (runnable, error) => {
    const title = runnable.fullTitle();
    const of = runnable.type === 'hook' ? 'hook' : 'test';
    send({ event: 'failed', of, file: fileOf(runnable), title, message: messageOf(error) });
  });
  runner.on(EVENT_TEST_END, (test) => {
    if (test.isPassed()) send({ event: 'passed', file: fileOf(test) });
    else if (test.isPending()) send({ event: 'skipped', file: fileOf(test) });
  });
  runner.once(EVENT_RUN_END, () => send({ event: 'ended' }));
}
