import { expect } from 'chai';
import fc from 'fast-check';
import type { PromptPassage } from '../../core/answers/index.ts';
import { conversation, promptFor } from '../../core/conversations/prompt.ts';
import { truncateToTokens, takeWithinBudget, estimateTokens } from '../../core/models/index.ts';
import type { ChatMessage } from '../../ports/conversations.ts';

const words = fc.array(fc.constantFrom('lamp', 'Größe', 'маяк', '灯塔', '🏮', '\n'), {
  maxLength: 300,
});
const text = words.map((each) => each.join(' '));
const passage: fc.Arbitrary<PromptPassage> = fc
  .record({ text, ord: fc.nat(9), filename: fc.constantFrom('a.pdf', 'b 2.md') })
  .map(({ text: said, ord, filename }) => ({
    passage: { objectId: 'o', ord, charStart: 0, charEnd: [...said].length, text: said },
    docType: 'other',
    filename,
    title: '',
    version: 1,
    pages: [],
  }));
const message: fc.Arbitrary<ChatMessage> = fc
  .record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: text })
  .map(({ role, content }) => ({
    id: 'm',
    sessionId: 's',
    role,
    content,
    createdAt: 0,
    attachments: [],
    citations: [],
    objects: null,
    steps: null,
    coverage: null,
    engine: null,
    confidence: null,
    incomplete: null,
    incompleteReason: null,
    agentRole: null,
  }));

describe('the prompt of a model', () => {
  it('fits into the context window, always with rules and question, passages in order', () =>
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 8000, unit: 'grapheme' }),
        fc.array(passage, { maxLength: 20 }),
        fc.array(message, { maxLength: 40 }),
        fc.integer({ min: 512, max: 20_000 }),
        (question, passages, earlier, contextTokens) => {
          const prompt = promptFor({ question, passages, earlier, contextTokens });
          const size = prompt.messages.reduce(
            (sum, { content }) => sum + estimateTokens(content),
            0,
          );
          // Some for the text around the passages; the answer gets the rest.
          expect(size).to.be.at.most(contextTokens * 0.75 + 120);
          const [best, ...further] = prompt.passages;
          expect(further).to.deep.equal(passages.slice(1, prompt.passages.length));
          // Of a passage longer than the context window the beginning, so that its citations have correct offsets.
          expect(best === undefined).to.equal(passages.length === 0);
          if (best) {
            const [whole] = passages as [PromptPassage];
            const { text, charEnd } = best.passage;
            expect(whole.passage.text.startsWith(text)).to.equal(true);
            expect(charEnd).to.equal([...text].length);
            expect({ ...best, passage: whole.passage }).to.deep.equal(whole);
            if (further.length > 0) expect(text).to.equal(whole.passage.text);
            if (whole.passage.text.length > 40) expect(text.length).to.be.above(20);
          }
          const [first, ...rest] = prompt.messages;
          expect(first?.role).to.equal('system');
          const last = rest.at(-1)?.content ?? '';
          expect(last).to.include(`Question: ${[...question].slice(0, 20).join('')}`);
          for (const [i, { passage: shown }] of prompt.passages.entries())
            expect(last)
              .to.include(`[${i + 1}] `)
              .and.include(shown.text);
          rest.forEach(({ role }, i) => expect(role).to.equal(i % 2 ? 'assistant' : 'user'));
        },
      ),
      { numRuns: 60 },
    ));

  it('includes the latest complete exchanges, without their markers', () => {
    const said = (role: ChatMessage['role'], content: string) => ({ role, content }) as ChatMessage;
    const earlier = [
      said('assistant', 'left over'),
      said('user', 'one?'),
      said('assistant', 'One [1], two [12].'),
      said('user', 'failed?'),
      said('user', 'asked'),
      said('user', 'at once'),
      said('assistant', 'Of one of them.'),
      said('assistant', 'Of the other.'),
      said('user', 'three?'),
      said('assistant', 'Three [2].'),
    ];
    expect(conversation(earlier, 1_000).map(({ content }) => content)).to.deep.equal([
      'one?',
      'One, two.',
      'three?',
      'Three.',
    ]);
    expect(conversation(earlier, 5).map(({ content }) => content)).to.deep.equal([
      'three?',
      'Three.',
    ]);
    expect(conversation(earlier, 1)).to.deep.equal([]);
  });

  it('is measured in tokens by its bytes, and truncated between characters', () =>
    fc.assert(
      fc.property(text, fc.nat(400), (whole, room) => {
        expect(estimateTokens(whole)).to.equal(Math.ceil(Buffer.byteLength(whole) / 3));
        const cut = truncateToTokens(whole, room);
        if (cut !== whole) {
          expect(cut.endsWith('…')).to.equal(true);
          expect(whole.startsWith(cut.slice(0, -1))).to.equal(true);
          expect(estimateTokens(cut.slice(0, -1))).to.be.at.most(room);
          expect(cut.isWellFormed()).to.equal(true);
        }
        const taken = takeWithinBudget([whole, whole, whole], room, (each) => each);
        expect(taken.length * estimateTokens(whole)).to.be.at.most(Math.max(room, 0));
      }),
    ));
});
