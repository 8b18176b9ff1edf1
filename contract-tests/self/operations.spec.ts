import { expect } from 'chai';
import { callsOfTheApp, operationsOfTheReference } from './app-operations.ts';

/** Addresses that the app builds itself, since the generated client can not send or read what they carry. */
const BY_HAND: Readonly<Record<string, readonly string[]>> = {
  // A page for people, and no operation.
  '/docs': [],
  '/v1/agent/chat': ['POST /v1/agent/chat'],
  '/v1/agent/confirm': ['POST /v1/agent/confirm'],
  '/v1/ask': ['POST /v1/ask'],
  '/v1/calendar/export': ['GET /v1/calendar/export'],
  '/v1/changes': ['GET /v1/changes'],
  '/v1/chats/{}': ['DELETE /v1/chats/{chat_id}'],
  '/v1/chats/{}/turns': ['POST /v1/chats/{chat_id}/turns'],
  '/v1/export': ['GET /v1/export'],
  '/v1/hidden-pin/lock': ['POST /v1/hidden-pin/lock'],
  '/v1/import': ['POST /v1/import'],
  '/v1/objects/{}/content': ['GET /v1/objects/{object_id}/content'],
  '/v1/objects/{}/thumbnail': ['GET /v1/objects/{object_id}/thumbnail'],
  '/v1/openapi.json': ['GET /v1/openapi.json'],
  '/v1/sign-in/oidc': ['GET /v1/sign-in/oidc'],
  '/v1/uploads': ['POST /v1/uploads'],
  // The library of resumable uploads calls the endpoint, and then the address that it was given.
  '/v1/uploads/resumable': [
    'POST /v1/uploads/resumable',
    'PATCH /v1/uploads/resumable/{upload_id}',
    'DELETE /v1/uploads/resumable/{upload_id}',
    'HEAD /v1/uploads/resumable/{upload_id}',
  ],
};

/** Operations without a place in the app, each with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  health: 'Load balancers and containers call it.',
  finishOidcSignIn: 'The identity provider sends the browser there.',
  connectUnknown:
    'It documents the error for an unknown kind of connection. The app knows the kinds.',
  visitShare: 'Visitors open it from a link. Its page works without the app.',
  unlockShare: 'The page for visitors calls it.',
  lookAtShared: 'The page for visitors calls it.',
  readSharedThumbnail: 'The page for visitors shows it.',
  readShared: 'The page for visitors links to it.',
  archiveShared: 'The page for visitors links to it.',
  uploadShared: 'The page for visitors calls it.',
  getCollection: 'The list of folders has the same fields, and the app holds all of it.',
  getAgent: 'The list of roles has the same fields.',
  getBot: 'The list of bots has the same fields.',
  getMigration: 'The list of connections carries the progress with the bucket.',
  receiveUpdate: 'The messenger sends updates of bots to it.',
  readForEngine: 'The document server fetches files from it.',
  takeCallback: 'The document server reports saves to it.',
  readFeed: 'Calendar programs subscribe to it.',
};

describe('the operations of the reference', () => {
  const operations = operationsOfTheReference();
  const { byClient, addresses, unclear } = callsOfTheApp();
  const called = new Set([...byClient, ...Object.values(BY_HAND).flat()]);
  const idsOf = (isWanted: (call: string) => boolean) =>
    operations.filter(({ call }) => isWanted(call)).map(({ id }) => id);

  it('are called by the app with a path that is written beside the call', () => {
    expect(unclear).to.deep.equal([]);
    expect([...addresses].sort()).to.deep.equal(Object.keys(BY_HAND).sort());
  });

  it('exist for every call of the app', () => {
    const known = new Set(operations.map(({ call }) => call));
    expect([...called].filter((call) => !known.has(call))).to.deep.equal([]);
  });

  it('have a place in the app, or a reason for none', () => {
    const listed = new Set(Object.keys(ELSEWHERE));
    const homeless = idsOf((call) => !called.has(call)).filter((id) => !listed.has(id));
    expect(homeless).to.deep.equal([]);
  });

  it('are not listed as exceptions once the app calls them, or when they are gone', () => {
    const uncalled = new Set(idsOf((call) => !called.has(call)));
    expect(Object.keys(ELSEWHERE).filter((id) => !uncalled.has(id))).to.deep.equal([]);
  });
});
