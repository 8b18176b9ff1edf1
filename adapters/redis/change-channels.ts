import type { Redis } from 'ioredis';
import type {
  ChangeCursors,
  ChangeListener,
  OwnerChange,
  PublishedChange,
} from '../../ports/changes.ts';

/** Changes that arrive before the start of a subscription is known. One with more is ended. */
const MAX_EARLY = 1_000;

interface Entry {
  readonly listener: ChangeListener;
  /** Undefined until it is known. */
  start: ChangeCursors | undefined;
  readonly early: PublishedChange[];
}

interface Channel {
  readonly entries: Set<Entry>;
  readonly subscribed: Promise<unknown>;
}

export interface OpenEntry {
  /** Delivers from here on, also what has arrived before. False if it was ended meanwhile. */
  begin(start: ChangeCursors): boolean;
  readonly close: () => void;
}

/** The channels that a connection is subscribed to, one per owner, with their listeners. */
export class ChangeChannels {
  readonly #receiver: Redis;
  readonly #prefix: string;
  readonly #channels = new Map<string, Channel>();

  constructor(receiver: Redis, prefix: string) {
    this.#receiver = receiver;
    this.#prefix = prefix;
    receiver.on('message', (name: string, text: string) => this.#receive(name, text));
    receiver.on('close', () => this.endAll());
  }

  nameOf(ownerId: string): string {
    return `${this.#prefix}:of:${ownerId}`;
  }

  /** Resolves once Redis has confirmed that messages of the owner are received. */
  async add(ownerId: string, listener: ChangeListener): Promise<OpenEntry> {
    const name = this.nameOf(ownerId);
    const entry: Entry = { listener, start: undefined, early: [] };
    const channel = this.#channels.get(name) ?? this.#open(name);
    channel.entries.add(entry);
    try {
      await channel.subscribed;
      if (!channel.entries.has(entry)) throw new Error('The connection to Redis was lost.');
    } catch (error) {
      this.#remove(name, channel, entry);
      throw error;
    }
    return {
      begin: (start) => {
        entry.start = start;
        for (const change of entry.early.splice(0)) deliver(entry, change);
        return channel.entries.has(entry);
      },
      close: () => this.#remove(name, channel, entry),
    };
  }

  endAll(): void {
    const channels = [...this.#channels.values()];
    this.#channels.clear();
    for (const { entries } of channels) {
      const ended = [...entries];
      entries.clear();
      for (const { listener } of ended) listener.ended();
    }
  }

  #open(name: string): Channel {
    const channel = { entries: new Set<Entry>(), subscribed: this.#receiver.subscribe(name) };
    this.#channels.set(name, channel);
    return channel;
  }

  #remove(name: string, channel: Channel, entry: Entry): void {
    channel.entries.delete(entry);
    if (channel.entries.size > 0 || this.#channels.get(name) !== channel) return;
    this.#channels.delete(name);
    // It fails only with its connection, and then nothing is received either.
    this.#receiver.unsubscribe(name).catch(() => undefined);
  }

  #receive(name: string, text: string): void {
    const channel = this.#channels.get(name);
    if (!channel) return;
    const change = parse(text);
    for (const entry of [...channel.entries]) {
      if (entry.start) deliver(entry, change);
      else if (entry.early.push(change) > MAX_EARLY) {
        channel.entries.delete(entry);
        entry.listener.ended();
      }
    }
  }
}

/** Only processes of this installation know its channels. */
function parse(text: string): PublishedChange {
  const [visible = '', any = '', ...change] = text.split(' ');
  return { ...(JSON.parse(change.join(' ')) as OwnerChange), cursors: { visible, any } };
}

/** A change that is part of the start is skipped: the start was read on another connection. */
function deliver({ start, listener }: Entry, change: PublishedChange): void {
  const moves = change.visible.length > 0 || change.hidden.length > 0;
  if (moves && start && !isAfter(change.cursors.any, start.any)) return;
  listener.changed(change);
}

/** Cursors with another name were lost in between. */
function isAfter(cursor: string, other: string): boolean {
  const [name, count] = cursor.split('.');
  const [otherName, otherCount] = other.split('.');
  return name !== otherName || Number(count) > Number(otherCount);
}
