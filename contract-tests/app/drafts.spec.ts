import { expect } from 'chai';
import { draftOf, dropDraft, keepDraft } from '../../web/state/drafts.ts';
import * as unsaved from '../../web/state/unsaved.ts';
import { forgetHidden } from '../../web/state/zone-token.ts';

const draft = (text: string) => ({ text, version: 1 });

describe('texts that are not saved', () => {
  afterEach(forgetHidden);

  it('are kept for their editor until they are dropped, twenty at most', () => {
    for (let n = 1; n <= 21; n++) keepDraft(`content ${n}`, draft(`text ${n}`));
    expect(draftOf('content 1')).to.equal(undefined);
    expect(draftOf('content 21')).to.deep.equal(draft('text 21'));
    keepDraft('content 2', draft('written last'));
    keepDraft('content 22', draft('text 22'));
    expect(draftOf('content 2')).to.deep.equal(draft('written last'));
    expect(draftOf('content 3')).to.equal(undefined);
    dropDraft('content 2');
    expect(draftOf('content 2')).to.equal(undefined);
  });

  it('are gone once the hidden zone locks', () => {
    keepDraft('content 1', draft('text'));
    forgetHidden();
    expect(draftOf('content 1')).to.equal(undefined);
  });
});

describe('leaving what is not saved', () => {
  afterEach(forgetHidden);

  it('happens at once if everything is saved', () => {
    let left = 0;
    unsaved.whenSaved(() => left++);
    expect([left, unsaved.leaving.value]).to.deep.equal([1, undefined]);
    unsaved.guardUnsaved({})();
    unsaved.whenSaved(() => left++);
    expect([left, unsaved.leaving.value]).to.deep.equal([2, undefined]);
  });

  it('waits for the answer, and asks again if the owner stays', () => {
    let [left, discarded] = [0, 0];
    unsaved.guardUnsaved({ discard: () => discarded++ });
    const ask = () => unsaved.whenSaved(() => left++);
    ask();
    unsaved.stay();
    expect([left, discarded, unsaved.leaving.value]).to.deep.equal([0, 0, undefined]);
    ask();
    unsaved.leaveUnsaved(unsaved.leaving.value!);
    expect([left, discarded, unsaved.leaving.value]).to.deep.equal([1, 1, undefined]);
    ask();
    expect(left).to.equal(2);
  });

  it('stays if saving fails, and goes on once it is saved', async () => {
    let [left, isAway] = [0, true];
    unsaved.guardUnsaved({ save: async () => !isAway });
    const ask = () => {
      unsaved.whenSaved(() => left++);
      return unsaved.saveAndLeave(unsaved.leaving.value!);
    };
    await ask();
    expect([left, unsaved.hasUnsaved()]).to.deep.equal([0, true]);
    isAway = false;
    await ask();
    expect([left, unsaved.hasUnsaved()]).to.deep.equal([1, false]);
  });

  it('stays if the owner decides so while it is being saved', async () => {
    const saving = Promise.withResolvers<boolean>();
    unsaved.guardUnsaved({ save: () => saving.promise });
    unsaved.whenSaved(() => expect.fail('left'));
    const ended = unsaved.saveAndLeave(unsaved.leaving.value!);
    unsaved.stay();
    saving.resolve(true);
    await ended;
  });

  it('is not asked about when the hidden zone locks', () => {
    unsaved.guardUnsaved({});
    unsaved.whenSaved(() => expect.fail('left'));
    forgetHidden();
    expect([unsaved.hasUnsaved(), unsaved.leaving.value]).to.deep.equal([false, undefined]);
  });
});
