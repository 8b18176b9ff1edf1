import { whileUnlocked } from './zone-token.ts';

/** Held shared while a conversation is begun, and alone while left ones are deleted. */
const ALL = 'zone-chats';

/** The conversations of this tab, and what gives their claims up. */
const begun = new Map<string, () => void>();

/** Where the address is not secure the browser has no locks. */
const locksOfBrowser = () => (navigator as { readonly locks?: LockManager }).locks;

const lockOf = (id: string): string => `zone-chat-${id}`;

/**
 * Begins a conversation that goes when the zone locks. This tab claims it, so that no other tab deletes it as one that was
 * left; the browser gives up the claims of a tab that has died.
 */
export async function beginZoneChat(begin: () => Promise<string>): Promise<string> {
  const beginAndClaim = async () => {
    const id = await begin();
    const release = await claim(id);
    if (whileUnlocked()) begun.set(id, release);
    else release();
    return id;
  };
  const locks = locksOfBrowser();
  return locks ? locks.request(ALL, { mode: 'shared' }, beginAndClaim) : beginAndClaim();
}

function claim(id: string): Promise<() => void> {
  const locks = locksOfBrowser();
  if (!locks) return Promise.resolve(() => undefined);
  return new Promise((resolve, reject) => {
    locks.request(lockOf(id), () => new Promise<void>((release) => resolve(release))).catch(reject);
  });
}

/** Does something with the conversations that are there while no tab begins another one. */
export async function whileNoneBegins(work: () => Promise<void>): Promise<void> {
  const locks = locksOfBrowser();
  await (locks ? locks.request(ALL, work) : work());
}

/** Whether the tab of a conversation has died. Without locks every other tab counts as dead. */
export async function isLeftChat(id: string): Promise<boolean> {
  if (begun.has(id)) return false;
  const locks = locksOfBrowser();
  return !locks || locks.request(lockOf(id), { ifAvailable: true }, (lock) => lock !== null);
}

const plain = new Set<string>();

/** A conversation that is begun around the open zone has nothing of it: its address may be shown. */
export const rememberPlainChat = (id: string): void => void plain.add(id);

export const isPlainChat = (id: string): boolean => plain.has(id);

export const isZoneChat = (id: string): boolean => begun.has(id);

export function takeZoneChats(): readonly string[] {
  const chats = [...begun];
  begun.clear();
  for (const [, release] of chats) release();
  return chats.map(([id]) => id);
}
