import { expect } from 'chai';
import {
  verifyDurability,
  type Edit,
  type WorkspaceSurvey,
  type Write,
} from '../drill/write-log.ts';

const writes: readonly Write[] = [
  { id: 'a', hash: '1' },
  { id: 'b', hash: '2' },
  { id: null, hash: '3' },
];
const edits: readonly Edit[] = [
  { objectId: 'b', task: 'x' },
  { objectId: 'b', task: null },
];
const a = { id: 'a', status: 'ready', hash: '1', versions: 1 };
const b = { id: 'b', status: 'ready', hash: '2', versions: 2 };
const told = [{ objectId: 'b', task: 'x' }];
const whole: WorkspaceSurvey = { objects: [a, b], edits: new Map([['x', 'done']]), told };

const judged = (change: Partial<WorkspaceSurvey>) => {
  const { lost, twice } = verifyDurability(writes, edits, { ...whole, ...change });
  return { lost, twice };
};

describe('the write log of a drill', () => {
  it('finds nothing if everything acknowledged exists once', () => {
    expect(verifyDurability(writes, edits, whole)).to.deep.equal({
      acknowledged: 3,
      survived: 3,
      lost: [],
      twice: [],
    });
    // Never acknowledged, and done all the same.
    const c = { id: 'c', status: 'ready', hash: '3', versions: 1 };
    const more = {
      objects: [a, { ...b, versions: 3 }, c],
      told: [...told, { objectId: 'b', task: 'y' }],
    };
    expect(judged(more)).to.deep.equal({ lost: [], twice: [] });
  });

  it('reports objects that are missing, have wrong bytes or none, or were never ready', () => {
    const lost = (change: object) => judged({ objects: [{ ...a, ...change }, b] }).lost;
    expect(judged({ objects: [b] }).lost).to.deep.equal(['object a is gone']);
    expect(lost({ hash: null })).to.deep.equal(['object a has no bytes']);
    expect(lost({ hash: '9' })).to.deep.equal(['object a has other bytes']);
    expect(lost({ status: 'processing' })).to.deep.equal(['object a is processing']);
    expect(verifyDurability(writes, edits, { ...whole, objects: [b] }).survived).to.equal(2);
  });

  it('reports operations that were not done, not notified, or left no version', () => {
    const none = { objects: [a, { ...b, versions: 1 }], told: [] };
    expect(judged({ ...none, edits: new Map() }).lost).to.deep.equal(['operation x is gone']);
    expect(judged({ ...none, edits: new Map([['x', 'queued']]) }).lost).to.deep.equal([
      'operation x is queued',
    ]);
    expect(judged({ told: [] })).to.deep.equal({
      lost: ['operation x was never notified'],
      twice: ['object b has 2 versions, not 1'],
    });
    expect(judged({ objects: [a, { ...b, versions: 1 }] }).lost).to.deep.equal([
      'object b has 1 versions, not 2',
    ]);
  });

  it('reports duplicates: bytes, notifications, versions, one operation for two requests', () => {
    expect(judged({ objects: [a, b, { ...a, id: 'c' }] }).twice).to.deep.equal([
      '2 objects hold the bytes 1',
    ]);
    expect(judged({ told: [...told, ...told] }).twice).to.deep.equal([
      'operation x was notified 2 times',
    ]);
    expect(judged({ objects: [a, { ...b, versions: 3 }] }).twice).to.deep.equal([
      'object b has 3 versions, not 2',
    ]);
    const same = [{ objectId: 'b', task: 'x' }, ...edits];
    expect(verifyDurability(writes, same, whole).twice).to.deep.equal([
      'operation x was given to 2 requests',
    ]);
  });
});
