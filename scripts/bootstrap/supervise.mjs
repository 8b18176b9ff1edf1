import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { clearTimeout, setTimeout } from 'node:timers';
import { SIGNALS, FatalError, isEcho, killGroup, stopWithParent } from './steps.mjs';

/** Exit status of the service after an uncaught error; as in composition/supervision.ts. */
const UNCAUGHT_STATUS = 70;
const KILLED_STATUS = 128 + constants.signals.SIGKILL;
/** Exponential backoff: the first restart comes at once, each further one waits twice as long as the one before. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
/**
 * A process that has served for this long resets the backoff. Longer than a start takes, so that repeated failures at the
 * start back off; short, because a pause only lengthens an outage.
 */
const SOUND_MS = 3_000;
/** The IPC channel of a process that has ended is closed within this time. */
const MAX_LAST_MESSAGE_MS = 1_000;
/** After a stop signal a process has this long for its graceful shutdown. */
const MAX_STOP_MS = 9_900;

/** Milliseconds before the nth restart in a row, from 1. */
export const pauseBefore = (nth) =>
  nth === 1 ? 0 : Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** (nth - 2));

/**
 * Supervisor: runs the service and restarts it when it ends without a stop signal, which means after an uncaught error or a
 * kill. A process that ends with another status before it was ever ready has reported a configuration error and is not
 * restarted.
 *
 * The service is a child in a process group of its own, so that it receives each signal once, from this process. It exits
 * when its IPC channel to this process closes. Its own children are in its group and are killed when it has ended. After a stop signal the supervisor ends with the status of the service.
 */
export async function supervise(node, words, options) {
  const stop = stopRequest();
  let port;
  let wasReady = false;
  for (let restarts = 0; ;) {
    // If the system chose the port, the restarted service listens on the same one, so that known addresses stay valid.
    const again = port === undefined ? [] : ['--port', String(port)];
    const { status, signal, servedMs, ready } = await runOnce(
      node,
      [...words, ...again],
      options,
      stop,
    );
    if (ready) {
      wasReady = true;
      port = ready.port;
    }
    // After a stop signal a child may also end by that signal, before it handles signals, or by an uncaught error.
    if (stop.requested)
      return process.exit(signal === 'SIGKILL' ? KILLED_STATUS : statusOfStop(status));
    // A signal may have reached the child alone; then it ends with 0.
    if (status === 0) return process.exit(0);
    if (!wasReady && !signal && status !== UNCAUGHT_STATUS) return process.exit(status);
    restarts = servedMs >= SOUND_MS ? 1 : restarts + 1;
    const pauseMs = pauseBefore(restarts);
    log(`the service ended (${signal ?? `status ${status}`}); it is started again`, { pauseMs });
    if (pauseMs > 0) await stop.orAfter(pauseMs);
    if (stop.requested) return process.exit(0);
  }
}

const statusOfStop = (status) => (status === null || status === UNCAUGHT_STATUS ? 0 : status);

/** One process of the service, from its start to its end. */
function runOnce(node, words, options, stop) {
  return new Promise((resolve, reject) => {
    const detached = process.platform !== 'win32';
    const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
    const child = spawn(node, words, { ...options, detached, stdio });
    let ready;
    let readyAt = Infinity;
    let watchdog;
    const tell = (signal) => {
      child.kill(signal);
      watchdog ??= setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS);
    };
    stop.tell = tell;
    child.on('message', (message) => {
      if (!message || !message.ready) return;
      ready = message;
      readyAt = Date.now();
    });
    child.once('error', (error) => reject(new FatalError(`${node}: ${error.message}`)));
    child.once('exit', (status, signal) => {
      clearTimeout(watchdog);
      killGroup(child.pid);
      stop.tell = undefined;
      const end = () => resolve({ status, signal, ready, servedMs: endedAt - readyAt });
      const endedAt = Date.now();
      // A message sent before the end may be read after `exit`: the port for the restart. The channel closes after it.
      if (!child.connected) return end();
      const limit = setTimeout(end, MAX_LAST_MESSAGE_MS);
      child.once('disconnect', () => {
        clearTimeout(limit);
        end();
      });
    });
    // The signal came while no process was running.
    if (stop.requested) tell('SIGTERM');
  });
}

/** Signals to this process, passed on to the service that runs. */
function stopRequest() {
  const stop = { requested: false, tell: undefined, wake: undefined };
  let heardAt = -Infinity;
  const request = (signal) => {
    stop.requested = true;
    if (isEcho(heardAt)) return;
    heardAt = Date.now();
    if (stop.tell) stop.tell(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    if (stop.wake) stop.wake();
  };
  for (const signal of SIGNALS) process.on(signal, () => request(signal));
  stopWithParent(() => request('SIGTERM'));
  stop.orAfter = (ms) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      stop.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return stop;
}

/** A line in the form of the service's own log. */
function log(msg, more) {
  const line = JSON.stringify({ level: 50, time: new Date().toISOString(), ...more, msg });
  process.stderr.write(`${line}\n`);
}
