import { expect } from 'chai';
import fc from 'fast-check';
import {
  MAX_CLIENT_NAME_LENGTH,
  UNKNOWN_CLIENT,
  type ClientNames,
} from '../../ports/client-names.ts';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0';
const KNOWN: Readonly<Record<string, string>> = {
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`]: 'Chrome on Linux',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/131.0.0.0`]:
    'Microsoft Edge on Windows',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0':
    'Firefox on macOS',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1':
    'Safari on iOS',
  [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${CHROME} Mobile Safari/537.36`]: 'Chrome on Android',
};

/** The contract of every ClientNames. */
export function clientNamesContract(names: ClientNames): void {
  it('`nameOf` returns the browser and the operating system of a user agent in words', () => {
    for (const [userAgent, name] of Object.entries(KNOWN))
      expect(names.nameOf(userAgent)).to.equal(name);
  });

  it('The name of a user agent that is empty, unknown or malformed begins with `UNKNOWN_CLIENT`', () => {
    for (const userAgent of [
      ...['', ' ', '\u0000', 'constructor', '__proto__/1', 'toString/1.0', '<b>bold</b>/1.0'],
      ...['my-script/1.0', '('.repeat(4_000), 'é'.repeat(100_000), 'Mozilla/5.0 '.repeat(50_000)],
    ])
      expect(names.nameOf(userAgent), userAgent.slice(0, 40)).to.match(
        new RegExp(`^${UNKNOWN_CLIENT}( on \\w+)?$`),
      );
  });

  it('A name holds only names of known products, and at most `MAX_CLIENT_NAME_LENGTH` characters', () => {
    const word = fc.stringMatching(/^[a-z]{5,12}$/).map((letters) => `qz${letters}`);
    fc.assert(
      fc.property(word, fc.constantFrom(...Object.keys(KNOWN), ''), (strange, userAgent) => {
        for (const sent of [
          `${strange}/7.1 ${userAgent}`,
          `${userAgent} ${strange}/7.1`,
          strange,
        ]) {
          const name = names.nameOf(sent);
          expect(name).to.match(/^[\w .]+$/);
          expect(name).not.to.include(strange);
          expect(name.length).to.be.within(1, MAX_CLIENT_NAME_LENGTH);
        }
      }),
    );
  });
}
