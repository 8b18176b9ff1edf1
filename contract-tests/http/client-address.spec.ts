import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { clientAddress } from '../../adapters/http/request/forwarded.ts';
import { clientNetwork, networkOf } from '../../core/shared/network.ts';

const request = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

const reported = (entry: string): string => clientAddress(request('127.0.0.1', entry), 1);

describe('the address of a client', () => {
  const spellings: readonly (readonly [string, readonly string[]])[] = [
    [
      '198.51.100.7',
      [
        ...['198.51.100.7', '198.51.100.7:4711', '[198.51.100.7]', '[198.51.100.7]:4711'],
        ...['::ffff:198.51.100.7', '::FFFF:c633:6407', '[::ffff:198.51.100.7]:4711'],
        ...['0:0:0:0:0:ffff:198.51.100.7', '::ffff:198.51.100.7%eth0', '  198.51.100.7\t'],
        ...['64:ff9b::198.51.100.7', '64:ff9b::c633:6407', '"198.51.100.7:4711"'],
      ],
    ],
    [
      '2001:db8::7',
      [
        ...['2001:db8::7', '2001:DB8::7', '2001:0db8:0:0:0:0:0:7', '[2001:db8::7]'],
        ...['[2001:db8::7]:4711', ' [2001:db8::7]:4711 ', '"[2001:db8::7]:4711"'],
        ...['2001:db8::0.0.0.7', '2001:db8::7%eth0', '[2001:db8::7%25eth0]:4711'],
      ],
    ],
    ['fe80::1', ['fe80::1%eth0', 'FE80::1%1', '[fe80::1%eth0]:80', 'fe80:0::1']],
  ];
  for (const [address, entries] of spellings)
    it(`is ${address} in every spelling`, () => {
      for (const entry of entries) {
        expect(reported(entry), entry).to.equal(address);
        expect(reported(`203.0.113.9, ${entry}`), entry).to.equal(address);
      }
    });

  it('of the connection itself is in the same form', () => {
    const direct = (address: string | undefined) => clientAddress(request(address, '192.0.2.1'), 0);
    expect(direct('::ffff:198.51.100.7')).to.equal('198.51.100.7');
    expect(direct('fe80::1%eth0')).to.equal('fe80::1');
    expect(direct(undefined)).to.equal('');
  });

  it('is empty, and of one network, for a text that is no address', () => {
    const texts = [
      ...['unknown', '_hidden', '-', '""', '[', '[]', '[]:80', ':80', '999.1.1.1', '1.2.3', '7'],
      ...['0x7f.0.0.1', '010.0.0.1', '198.51.100.7:', '198.51.100.7:port', '198.51.100.7/24'],
      ...['198.51.100.7%eth0', '2001:db8::/32', '[2001:db8::7', '2001:db8::7]', '[2001:db8::7]x'],
      ...['%eth0', 'constructor', '1:2:3:4:5:6:7:8:9', '2001:db8::7%', 'x'.repeat(10_000)],
    ];
    for (const text of texts) expect(reported(text), text).to.equal('');
    const buckets = texts.flatMap((text) => [clientNetwork(text), clientNetwork(reported(text))]);
    expect(new Set(buckets)).to.deep.equal(new Set(['']));
  });

  it('is canonical: read again it is the same, and so are its networks', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()),
        fc.constantFrom('', ':1', ' '),
        (text, end) => {
          const entry = end === ':1' && text.includes(':') ? `[${text}]${end}` : `${text}${end}`;
          const address = clientAddress(request('127.0.0.1', entry.replaceAll(',', '')), 1);
          if (address === '') return;
          expect(reported(address)).to.equal(address);
          expect(networkOf(address)).not.to.equal('');
          expect(clientNetwork(address)).not.to.equal('');
        },
      ),
    ));
});
