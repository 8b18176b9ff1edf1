import { isIP, isIPv6 } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { networkOf } from '../../core/shared/network.ts';

describe('the network of an address', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['198.51.100.7', '198.51.100.0/24'],
    ['::ffff:198.51.100.7', '198.51.100.0/24'],
    ['::FFFF:c633:6407', '198.51.100.0/24'],
    ['2001:db8:5:6::7', '2001:db8:5::/48'],
    ['2001:0DB8:0005:0:0:0:0:7', '2001:db8:5::/48'],
    ['2001:db8::7', '2001:db8::/48'],
    ['2001:0:5::7', '2001:0:5::/48'],
    ['::1', '::/48'],
    ['::', '::/48'],
    ['64:ff9b::198.51.100.7', '64:ff9b::/48'],
    ['fe80::1%eth0', 'fe80::/48'],
  ];
  for (const [address, network] of rows)
    it(`of ${address} is ${network}`, () => {
      expect(networkOf(address)).to.equal(network);
    });

  it('is empty for a text that is no address', () => {
    const texts = [
      ...['', 'unknown', 'constructor', '999.1.1.1', '1.2.3', '1.2.3.4.5', '1:2:3', ':::'],
      ...['1:2:3:4:5:6:7:8:9', '1::2::3', '12345::', '1.2.3.4::', '::1.2.3.4:5', '%eth0'],
      ...['010.0.0.1', '::ffff:010.0.0.1', '::1%'],
    ];
    for (const text of texts) expect(networkOf(text), text).to.equal('');
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(networkOf(text) === '').to.equal(isIP(text) === 0);
      }),
    );
  });

  it('is the same for every spelling of an address, in canonical form', () =>
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const network = networkOf(address);
        const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
        expect(networkOf(canonical)).to.equal(network);
        expect(networkOf(address.toUpperCase())).to.equal(network);
        if (!network.endsWith('/48')) return;
        const base = network.slice(0, -3);
        expect(isIPv6(base), base).to.equal(true);
        expect(new URL(`http://[${base}]`).hostname.slice(1, -1)).to.equal(base);
      }),
    ));
});
