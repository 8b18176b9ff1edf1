import { expect } from 'chai';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startService, type Service } from './harness.ts';

describe('what is no request', () => {
  let service: Service;
  before(async () => {
    service = await startService('standalone');
  });
  after(() => service.dispose());

  const sent = async (bytes: string) => {
    const { hostname, port } = new URL(service.base);
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    const answer = await text(socket);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return { head, json: JSON.parse(body) as { detail: string; code: string } };
  };

  it('is told off as JSON', async () => {
    const { head, json } = await sent('nonsense\r\n\r\n');
    expect(head).to.match(/^HTTP\/1\.1 400 .*application\/json.*x-request-id: /s);
    expect(json.code).to.equal('bad_request');
  });

  it('is 431 when the address is longer than anybody needs', async () => {
    const { head, json } = await sent(`GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(head).to.match(/^HTTP\/1\.1 431 /);
    expect(json.code).to.equal('too_large');
  });

  it('leaves room for a long question in a query', async () => {
    const { status } = await service.call('GET', `/v1/search?q=${'word '.repeat(6_000)}`);
    expect(status).to.equal(200);
  });
});
