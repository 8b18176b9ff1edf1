import { expect } from 'chai';
import classes from '../../core/organize/document-classes.json' with { type: 'json' };
import ignored from '../../core/organize/ignored-words.json' with { type: 'json' };
import themes from '../../core/organize/themes.json' with { type: 'json' };
import { NAMING_LANGUAGES } from '../../core/organize/concepts.ts';
import { normalizeCase, withoutAccents } from '../../core/text/index.ts';
import { DOC_TYPES } from '../../ports/objects.ts';

const KINDS = ['audio', 'video', 'archive', 'email', 'link', 'image'];

const classNames = [...DOC_TYPES.filter((type) => type !== 'other'), ...KINDS];
const themeNames = Object.keys(themes);
const concepts = [...Object.entries(classes), ...Object.entries(themes)];

const repeatedIn = (words: readonly string[]): readonly string[] =>
  words.filter((word, i) => words.indexOf(word) !== i);

describe('the lexicons of the organizer', () => {
  it('have every document class and every theme', () => {
    expect(Object.keys(classes)).to.have.members(classNames);
    expect(Object.values(classes).map(({ theme }) => theme ?? themeNames[0])).to.include.members(
      themeNames,
    );
    for (const { theme } of Object.values(classes))
      if (theme !== null) expect(themeNames).to.include(theme);
  });

  it('name each of them once in every language', () => {
    for (const [concept, { names }] of concepts) {
      expect(Object.keys(names), concept).to.deep.equal([...NAMING_LANGUAGES]);
      for (const name of Object.values(names)) {
        expect(name, concept).to.equal(name.trim().normalize('NFC'));
        expect(name, concept).not.to.equal('');
      }
    }
    for (const language of NAMING_LANGUAGES)
      expect(repeatedIn(concepts.map(([, { names }]) => names[language]))).to.deep.equal([]);
  });

  it('hold each word once, in lower case', () => {
    for (const [concept, { words }] of concepts) {
      expect(repeatedIn(words), concept).to.deep.equal([]);
      for (const word of words) expect(word, concept).to.match(/^\S+(?: \S+)*$/);
      expect(words, concept).to.deep.equal(
        words.map((word) => word.toLowerCase().normalize('NFC')),
      );
    }
  });

  it('draw known classes, with a confidence', () => {
    for (const [theme, { draws }] of Object.entries(themes))
      for (const [sort, confidence] of Object.entries(draws)) {
        expect(classNames, theme).to.include(sort);
        expect(confidence, theme).to.be.within(0, 1);
      }
  });

  it('ignore single words in normal form, each once', () => {
    for (const words of Object.values(ignored)) {
      for (const word of words) expect(word).to.match(/^\p{L}+$/u);
      expect(words).to.deep.equal(words.map(normalizeCase));
      expect(repeatedIn(words.map(withoutAccents))).to.deep.equal([]);
    }
  });
});
