/** Names and addresses of hosts in a private network. */
const OWN_NETWORK =
  /^(localhost|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(1[6-9]|2\d|3[01])\.\d+\.\d+|\[::1\]|\[f[cd].*\]|[^.]+|.*\.(local|lan|internal|home\.arpa))$/i;
const OWN_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/** Whether a host is in the owner's own network. */
export const isInOwnNetwork = (hostname: string): boolean => OWN_NETWORK.test(hostname);

/** Whether a host is the machine that the name is resolved on. */
export const isOwnMachine = (hostname: string): boolean => OWN_MACHINE.test(hostname);

/** The host of an address; '' for one that is none. */
export const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).hostname : '';
