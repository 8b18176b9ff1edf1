import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { median } from './operations.ts';
import { cpuSecondsOf, loaded, type Server } from './processes.ts';
import type { Load } from './load.ts';

export const CORES = cpus().length;

/** One burst on one server or several, with the CPU usage by process. */
export interface Round {
  /** Requests per second, of all servers together. */
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  /** Microseconds of CPU time per request. NaN for Postgres if it is on another machine. */
  readonly serve: number;
  readonly postgres: number;
  readonly load: number;
  /** Shares of all CPU time; `others` is all other load on the machine. */
  readonly shares: Readonly<Record<'serve' | 'postgres' | 'load' | 'others' | 'idle', number>>;
}

/** One round of these servers, each with an equal share of the connections. */
export async function runRound(
  servers: readonly Server[],
  path: string,
  load: Omit<Load, 'url'>,
  postgresSeconds: () => number,
): Promise<Round> {
  const used = () => servers.reduce((sum, each) => sum + each.cpuSeconds(), 0);
  const before = { serve: used(), postgres: postgresSeconds(), machine: machineSeconds() };
  const url = servers.map(({ base }) => base + path);
  const names = servers.map(({ name }) => name).join(' and ');
  const result = await loaded(names, { ...load, url });
  const serve = used() - before.serve;
  const postgres = postgresSeconds() - before.postgres;
  const machine = machineSeconds();
  const share = (spent: number) => spent / (CORES * result.seconds);
  const [busy, idle] = [machine.busy - before.machine.busy, machine.idle - before.machine.idle];
  // Measured over a longer time, including the start of the load, so it is expressed as a share of that time.
  const resting = idle / (busy + idle);
  const ours = share(serve) + share(result.cpuSeconds) + (postgres > 0 ? share(postgres) : 0);
  const micros = (spent: number) => (spent * 1e6) / result.requests;
  return {
    perSecond: result.requests / result.seconds,
    p50: result.p50,
    serve: micros(serve),
    postgres: micros(postgres),
    load: micros(result.cpuSeconds),
    shares: {
      serve: share(serve),
      postgres: share(postgres),
      load: share(result.cpuSeconds),
      others: Math.max(0, 1 - ours - resting),
      idle: resting,
    },
  };
}

/** Medians of the rounds, and the minimum of CPU time: other load on the machine can only add to it. */
export function medians(turns: readonly Round[]): Round {
  const middle = (of: (each: Round) => number) => median(turns.map(of));
  const least = (of: (each: Round) => number) => Math.min(...turns.map(of));
  return {
    perSecond: middle((each) => each.perSecond),
    p50: middle((each) => each.p50),
    serve: least((each) => each.serve),
    postgres: least((each) => each.postgres),
    load: least((each) => each.load),
    shares: {
      serve: middle(({ shares }) => shares.serve),
      postgres: middle(({ shares }) => shares.postgres),
      load: middle(({ shares }) => shares.load),
      others: middle(({ shares }) => shares.others),
      idle: middle(({ shares }) => shares.idle),
    },
  };
}

/**
 * CPU seconds of Postgres for the connections to one database, found by process title; NaN if not visible, as on
 * another machine. For an ended process, the last value seen. Shared work of Postgres, such as writing its log, is
 * not included.
 */
export function postgresTime(database: string): () => number {
  const seen = new Map<string, number>();
  return () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      try {
        const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(' ');
        if (title[0] === 'postgres:' && title.includes(database))
          seen.set(pid, cpuSecondsOf(readFileSync(`/proc/${pid}/stat`, 'utf8')));
      } catch (error) {
        // It has ended since it was listed.
        if (!/ENOENT|ESRCH/.test(String(error))) throw error;
      }
    return seen.size === 0 ? NaN : [...seen.values()].reduce((sum, each) => sum + each, 0);
  };
}

/** Of all CPUs, since boot. */
function machineSeconds(): { readonly busy: number; readonly idle: number } {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? [];
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, soft = 0, stolen = 0] =
    fields.map((ticks) => Number(ticks) / 100);
  return { busy: user + nice + system + irq + soft + stolen, idle: idle + waiting };
}
