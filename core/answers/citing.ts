import type { Citation } from '../../ports/conversations.ts';
import type { DocType } from '../../ports/objects.ts';
import type { TextSpan } from '../../ports/search.ts';
import { placed } from '../search/index.ts';
import { wellFormed, type Stretch } from '../text/index.ts';
import { cleanSpaces } from './clean-spaces.ts';
import { harmlessText } from './harmless.ts';
import { markersIn } from './markers.ts';
import { quotations, type Register } from './quoting.ts';
import { type Cited, GAP } from './stages.ts';
import { withoutLinks } from './without-links.ts';
import { withoutTags } from './without-tags.ts';

/** A passage as shown to the model. Its number is its index in the list, from 1. */
export interface OfferedPassage {
  readonly passage: TextSpan & { readonly objectId: string };
  readonly docType: DocType;
  readonly filename: string;
  readonly title: string;
}

/** A chunk of an answer. */
export interface Told {
  readonly text: string;
  /** The citations that are referenced for the first time in it, in order. */
  readonly citations: readonly Citation[];
}

/**
 * Parses model output chunk by chunk and emits it with citations. The concatenated text is the answer and does not
 * depend on the chunk boundaries. `[1]` to `[k]` refer to the emitted citations. The text contains no link, no remote
 * content and no HTML.
 */
export interface CitingReader {
  feed(piece: string): Told;
  /** Emits the rest. No input may follow. */
  end(): Told;
}

/** Maximum number of passage lookups per answer. Later quotations are not found, so that the run time is bounded. */
const MOST_LOOKS = 2_000;

/** @param offered the passages the model has been shown so far; entries may be appended */
export function citingReader(offered: () => readonly OfferedPassage[]): CitingReader {
  let text = '';
  let citations: Citation[] = [];
  const harmless = harmlessText((part, cited) => {
    text += part;
    if (cited?.citation) citations.push(cited.citation);
  });
  const spaces = cleanSpaces(harmless);
  const quoting = quotations(registerOf(offered), withoutTags(withoutLinks(spaces)));
  const markers = markersIn((said) => quoting.push(said));
  let returned = false;

  /** Normalises line endings and removes invisible characters. */
  function read(unit: string): void {
    if (unit === '\n' && returned) returned = false;
    else if (unit !== '\0' && unit !== GAP) {
      returned = unit === '\r';
      markers.push(returned ? '\n' : unit);
    }
  }

  function tell(kept: string): Told {
    const told = { text: wellFormed(text.slice(0, text.length - kept.length)), citations };
    [text, citations] = [kept, []];
    return told;
  }

  return {
    feed(piece) {
      for (let i = 0; i < piece.length; i++) read(piece.charAt(i));
      // The first half of a surrogate pair waits for the second.
      return tell(/[\ud800-\udbff]$/.exec(text)?.[0] ?? '');
    },
    end() {
      markers.end();
      quoting.end();
      return tell('');
    },
  };
}

interface Place {
  readonly offered: OfferedPassage;
  readonly stretch: Stretch;
}

/** The citations of one answer, without duplicate ranges of an object. */
function registerOf(offered: () => readonly OfferedPassage[]): Register<Place> {
  const indexes = new Map<string, number>();
  let looks = 0;

  function cite({ offered: { passage, docType, filename, title }, stretch }: Place): Cited {
    const { objectId, ord } = passage;
    const place = placed(passage, stretch);
    const key = `${place.charStart} ${place.charEnd} ${objectId}`;
    const known = indexes.get(key);
    if (known !== undefined) return { index: known, citation: undefined };
    const index = indexes.size + 1;
    indexes.set(key, index);
    return { index, citation: { index, objectId, ord, ...place, docType, filename, title } };
  }

  return {
    locate(numbers, find) {
      const passages = offered();
      return [...new Set(numbers)].flatMap((number): readonly Place[] => {
        const of = passages[number - 1];
        if (!of || looks >= MOST_LOOKS) return [];
        looks += 1;
        const stretch = find(of.passage.text);
        return stretch ? [{ offered: of, stretch }] : [];
      });
    },
    cite: (places) => {
      const markers = places.map(cite);
      return markers.filter(
        ({ index }, i) => markers.findIndex((marker) => marker.index === index) === i,
      );
    },
  };
}
