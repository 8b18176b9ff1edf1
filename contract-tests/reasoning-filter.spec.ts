import { expect } from 'chai';
import fc from 'fast-check';
import { ReasoningFilter } from '../adapters/outbound/models/reasoning-filter.ts';

const ANSWER = 'It was opened in 1931 [1].';
const THOUGHT = 'The user asks when. Note 1 says "1931"; a < b, so [2] is not needed.';

/** What a consumer has in the end, of a text in pieces. */
function read(pieces: readonly string[], isOpen = false, isCutOff = false) {
  const filter = new ReasoningFilter(isOpen);
  let text = '';
  let restarts = 0;
  for (const step of [...pieces.map((piece) => filter.feed(piece)), filter.end(isCutOff)]) {
    if (step.restarts) {
      restarts++;
      text = '';
    }
    text += step.text;
  }
  return { text: text.trim(), restarts, beganOpen: filter.beganOpen };
}
const inUnits = (text: string): readonly string[] => Array.from(text);

const FORMS = {
  'a think block': `<think>${THOUGHT}</think>${ANSWER}`,
  'a block with attributes': `\n<thinking budget="3">${THOUGHT}</thinking>\n\n${ANSWER}`,
  'another name': `<reasoning>${THOUGHT}</reasoning>${ANSWER}`,
  capitals: `<THINK>${THOUGHT}</THINK> ${ANSWER}`,
  'a name with a prefix': `<seed:think>${THOUGHT}</seed:think>${ANSWER}`,
  brackets: `[THINK]${THOUGHT}[/THINK]${ANSWER}`,
  'special tokens': `<|begin_of_thought|>${THOUGHT}<|end_of_thought|>\n\n<|begin_of_solution|>\n${ANSWER}\n<|end_of_solution|>`,
  'special tokens in capitals': `<|START_THINKING|>${THOUGHT}<|END_THINKING|><|START_RESPONSE|>${ANSWER}<|END_RESPONSE|>`,
  'wide bars': `<｜think｜>${THOUGHT}<｜end_think｜>${ANSWER}`,
  triangles: `◁think▷${THOUGHT}◁/think▷${ANSWER}`,
  channels: `<|channel|>analysis<|message|>${THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`,
  'three channels': `<|start|>assistant<|channel|>analysis<|message|>${THOUGHT}<|end|><|start|>assistant<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"query":"x"}<|call|><|start|>assistant<|channel|>final <|message|>${ANSWER}`,
  'channels without their tokens': `analysisThe user asks. ${THOUGHT}assistantfinal${ANSWER}`,
  'a second block': `<think>${THOUGHT}</think>${ANSWER.slice(0, 10)}<think>${THOUGHT}</think>${ANSWER.slice(10)}`,
  'a later block': `${ANSWER.slice(0, 10)}<think>${THOUGHT}</think>${ANSWER.slice(10)}`,
  'a nested block': `<think>${THOUGHT}<think>more</think>${ANSWER}`,
};
const WITHOUT_OPENING = {
  'only the end of a block': `${THOUGHT}</think>\n\n${ANSWER}`,
  'only the end in brackets': `${THOUGHT}[/THINK]${ANSWER}`,
  'only the end of a special token': `${THOUGHT}<|end_of_thought|><|begin_of_solution|>${ANSWER}<|end_of_solution|>`,
  'only the beginning of the answer': `Here are my steps: ${THOUGHT}\n[BEGIN FINAL RESPONSE]\n${ANSWER}\n[END FINAL RESPONSE]`,
  'only the final channel': `${THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}`,
};

describe('the reasoning of a model', () => {
  for (const [name, text] of Object.entries({ ...FORMS, ...WITHOUT_OPENING }))
    it(`as ${name} is not in the answer, however it is split`, () => {
      // A model that is known to begin with reasoning does not do these.
      const isEither = !['a later block', 'channels without their tokens'].includes(name);
      for (const isOpen of isEither ? [false, true] : [false]) {
        expect(read([text], isOpen).text, 'whole').to.equal(ANSWER);
        expect(read(inUnits(text), isOpen).text, 'in units').to.equal(ANSWER);
      }
      fc.assert(
        fc.property(fc.array(fc.nat(text.length)), fc.boolean(), (places, isOpen) => {
          const cuts = [0, ...places.sort((a, b) => a - b), text.length];
          const pieces = cuts.slice(1).map((to, i) => text.slice(cuts[i], to));
          expect(read(pieces, isOpen && isEither).text).to.equal(ANSWER);
        }),
        { numRuns: 30 },
      );
    });

  it('without an opening is recognised, and held back once that is known', () => {
    for (const [name, text] of Object.entries(WITHOUT_OPENING)) {
      if (name === 'only the final channel') continue;
      expect(read(inUnits(text)), name).to.include({ restarts: 1, beganOpen: true });
      const filter = new ReasoningFilter(true);
      for (const unit of inUnits(text).slice(0, THOUGHT.length - 1))
        expect(filter.feed(unit)).to.deep.equal({ restarts: false, text: '' });
      expect(read(inUnits(text), true)).to.include({ restarts: 0, beganOpen: true });
    }
    for (const text of [...Object.values(FORMS), ANSWER])
      expect(read(inUnits(text)).beganOpen).to.equal(false);
    expect(read([ANSWER], true)).to.deep.equal({ text: ANSWER, restarts: 0, beganOpen: false });
    expect(read([]).beganOpen).to.equal(undefined);
  });

  it('that is cut off is no answer', () => {
    for (const text of [
      `<think>${THOUGHT}`,
      `[THINK]${THOUGHT}`,
      `<|channel|>analysis<|message|>x`,
    ])
      expect(read(inUnits(text), false, true).text).to.equal('');
    expect(read(inUnits(THOUGHT), true, true)).to.include({ text: '', beganOpen: undefined });
    expect(read(inUnits(`analysisWe ${THOUGHT}`), false, true).text).to.equal('');
  });

  it('is not seen in a text that only resembles it', () => {
    for (const text of [
      ANSWER,
      'analysis of the year',
      'analysis',
      'a < b and <b>bold</b> [1] [THE] <thin',
      'The tag `<think>` opens it, and `</think>` ends it.',
      'It says "</think>" there.',
      '```\n<think>\nx\n</think>\n```\nso it is.',
      'The end.</think>',
      '<thinkers> meet',
      '<|x|> and <|channel',
      '[/',
    ])
      expect(read(inUnits(text)).text, text).to.equal(text.replace('.</think>', '.'));
  });

  it('any text without a marker is passed on as it is, except for leading white space', () => {
    const units = fc.string({ unit: fc.constantFrom('<', '|', '>', '[', '/', 'a', 't', '`', ' ') });
    fc.assert(
      fc.property(fc.array(units), (pieces) => {
        const text = pieces.join('');
        const filter = new ReasoningFilter();
        const out = [...pieces.map((piece) => filter.feed(piece)), filter.end()];
        expect(out.map((each) => each.text).join('')).to.equal(text.trimStart());
      }),
    );
  });
});
