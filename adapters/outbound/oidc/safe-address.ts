import { addressOf } from '../ip-address.ts';

/** Whether what is sent there cannot be read on the way: by https, or within this machine. */
export const isSafeAddress = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));

function isLoopback(hostname: string): boolean {
  if (/^(.+\.)?localhost\.?$/i.test(hostname)) return true;
  return addressOf(hostname.replace(/^\[(.*)\]$/, '$1'))?.range() === 'loopback';
}
