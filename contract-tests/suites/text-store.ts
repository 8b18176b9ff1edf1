import { expect } from 'chai';
import fc from 'fast-check';
import type { Backend } from '../backends.ts';
import { newScope, objectTexts, texts, wholes } from '../samples.ts';

/** The contract of every TextStore. */
export function textStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const corrections = (objectId: string) =>
    fc.record({
      objectId: fc.constant(objectId),
      text: texts(),
      language: fc.constantFrom('', 'de', 'ru'),
      savedAt: wholes(),
    });
  const pairs = () =>
    objectTexts().chain((text) => fc.tuple(fc.constant(text), corrections(text.objectId)));

  it('The text and the correction of an object are stored separately. Each is returned unchanged, astral characters included', () =>
    fc.assert(
      fc.asyncProperty(pairs(), async ([text, correction]) => {
        const scope = newScope();
        const { objectId } = text;
        await backend.uow.write(scope, async (s) => {
          expect(await s.texts.find(objectId)).to.deep.equal({});
          await s.texts.put(text);
          expect(await s.texts.find(objectId)).to.deep.equal({ text });
          await s.texts.putCorrection(correction);
        });
        const [mine, theirs] = [scope, newScope()];
        expect(await backend.uow.read(mine, (s) => s.texts.find(objectId))).to.deep.equal({
          text,
          correction,
        });
        expect(await backend.uow.read(theirs, (s) => s.texts.find(objectId))).to.deep.equal({});
      }),
      { numRuns: 30 },
    ));

  it('`pages` returns the pages of extracted texts that have no correction, in no particular order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(pairs(), { maxLength: 4 }), fc.nat(4), async (all, corrected) => {
        const scope = newScope();
        await backend.uow.write(scope, async (s) => {
          for (const [i, [text, correction]] of all.entries()) {
            await s.texts.put(text);
            if (i < corrected) await s.texts.putCorrection(correction);
          }
        });
        const ids = [...all.map(([{ objectId }]) => objectId), 'missing'];
        const expected = all
          .slice(corrected)
          .map(([{ objectId, version, pages }]) => ({ objectId, version, pages }));
        const found = await backend.uow.read(scope, (s) => s.texts.pages([...ids, ...ids]));
        expect(found).to.have.deep.members(expected);
        expect(await backend.uow.read(newScope(), (s) => s.texts.pages(ids))).to.deep.equal([]);
      }),
      { numRuns: 15 },
    ));

  it('A second write replaces. `removeCorrection` leaves the text; `remove` removes both', () =>
    fc.assert(
      fc.asyncProperty(pairs(), pairs(), async ([text, correction], [nextText, nextCorrection]) => {
        const scope = newScope();
        const { objectId } = text;
        const found = await backend.uow.write(scope, async (s) => {
          const seen = [];
          await s.texts.put(text);
          await s.texts.putCorrection(correction);
          await s.texts.put({ ...nextText, objectId });
          await s.texts.putCorrection({ ...nextCorrection, objectId });
          seen.push(await s.texts.find(objectId));
          await s.texts.removeCorrection(objectId);
          await s.texts.removeCorrection('missing');
          seen.push(await s.texts.find(objectId));
          await s.texts.putCorrection(correction);
          await s.texts.remove(objectId);
          await s.texts.remove('missing');
          seen.push(await s.texts.find(objectId));
          return seen;
        });
        expect(found).to.deep.equal([
          { text: { ...nextText, objectId }, correction: { ...nextCorrection, objectId } },
          { text: { ...nextText, objectId } },
          {},
        ]);
      }),
      { numRuns: 15 },
    ));
}
