import { BROWSER_MAP, OS_MAP, parse } from 'bowser';
import {
  MAX_CLIENT_NAME_LENGTH,
  UNKNOWN_CLIENT,
  type ClientNames,
} from '../../ports/client-names.ts';

/** The parser runs some hundred regular expressions. Real user agents have less than 300 characters. */
const MAX_USER_AGENT_LENGTH = 512;

const BROWSERS = new Set(Object.values(BROWSER_MAP));
const SYSTEMS = new Set(Object.values(OS_MAP));

/** By bowser. Its result is compared with its own lists: for an unknown program it returns text of the user agent. */
export const bowserClientNames: ClientNames = {
  nameOf: (userAgent) => {
    const { browser, os } = parseSafely(userAgent.slice(0, MAX_USER_AGENT_LENGTH));
    const name = browser !== undefined && BROWSERS.has(browser) ? browser : undefined;
    const system = os !== undefined && SYSTEMS.has(os) ? os : undefined;
    const words = name ?? UNKNOWN_CLIENT;
    return (system === undefined ? words : `${words} on ${system}`).slice(
      0,
      MAX_CLIENT_NAME_LENGTH,
    );
  },
};

function parseSafely(userAgent: string): { browser?: string | undefined; os?: string | undefined } {
  // The parser throws for an empty text.
  if (userAgent === '') return {};
  const { browser, os } = parse(userAgent);
  return { browser: browser.name, os: os.name };
}
