import type { Citation } from '../../ports/conversations.ts';
import type { TextSpan } from '../../ports/search.ts';
import { toTextOffsets } from '../search/index.ts';
import { wellFormed, type TextRange } from '../text/index.ts';
import { collapseWhitespace } from './collapse-whitespace.ts';
import { sanitizeMarkdown } from './markdown-sanitizer.ts';
import { createMarkerStage } from './markers.ts';
import type { Register } from './cited-text.ts';
import { QuoteStage } from './quote-stage.ts';
import { type CitationMarker, GAP } from './stages.ts';
import { stripLinks } from './strip-links.ts';
import { stripHtml } from './strip-html.ts';
import { citedFrom, type CitedSource } from './sources.ts';

/** A passage as shown to the model. Its number is its index in the list, from 1. */
export interface PromptPassage extends CitedSource {
  readonly passage: TextSpan & { readonly objectId: string };
}

/** A chunk of an answer. */
export interface CitedChunk {
  readonly text: string;
  /** The citations that are referenced for the first time in it, in order. */
  readonly citations: readonly Citation[];
}

/**
 * Parses model output chunk by chunk and emits it with citations. The concatenated text is the answer and does not
 * depend on the chunk boundaries. `[1]` to `[k]` refer to the emitted citations. The text contains no link, no remote
 * content and no HTML.
 */
export interface CitationStream {
  feed(piece: string): CitedChunk;
  /** Emits the rest. No input may follow. */
  end(): CitedChunk;
}

/** Maximum number of passage lookups per answer. Later quotations are not found, so that the run time is bounded. */
const MAX_LOOKUPS = 2_000;

/** @param offered the passages the model has been shown so far; entries may be appended */
export function createCitationStream(offered: () => readonly PromptPassage[]): CitationStream {
  let text = '';
  let citations: Citation[] = [];
  const harmless = sanitizeMarkdown((part, cited) => {
    text += part;
    if (cited?.citation) citations.push(cited.citation);
  });
  const spaces = collapseWhitespace(harmless);
  const quoting = new QuoteStage(registerOf(offered), stripHtml(stripLinks(spaces)));
  const markers = createMarkerStage((marker) => quoting.push(marker));
  let returned = false;

  /** Normalises line endings and removes invisible characters. */
  function read(unit: string): void {
    if (unit === '\n' && returned) returned = false;
    else if (unit !== '\0' && unit !== GAP) {
      returned = unit === '\r';
      markers.push(returned ? '\n' : unit);
    }
  }

  function emit(stored: string): CitedChunk {
    const chunk = { text: wellFormed(text.slice(0, text.length - stored.length)), citations };
    [text, citations] = [stored, []];
    return chunk;
  }

  return {
    feed(piece) {
      for (let i = 0; i < piece.length; i++) read(piece.charAt(i));
      // The first half of a surrogate pair waits for the second.
      return emit(/[\ud800-\udbff]$/.exec(text)?.[0] ?? '');
    },
    end() {
      markers.end();
      quoting.end();
      return emit('');
    },
  };
}

interface Place {
  readonly offered: PromptPassage;
  readonly stretch: TextRange;
}

/** The citations of one answer, without duplicate ranges of an object. */
function registerOf(offered: () => readonly PromptPassage[]): Register<Place> {
  const indexes = new Map<string, number>();
  let looks = 0;

  function cite({ offered, stretch }: Place): CitationMarker {
    const { objectId, ord } = offered.passage;
    const place = toTextOffsets(offered.passage, stretch);
    const key = `${place.charStart} ${place.charEnd} ${objectId}`;
    const known = indexes.get(key);
    if (known !== undefined) return { index: known, citation: undefined };
    const index = indexes.size + 1;
    indexes.set(key, index);
    return {
      index,
      citation: { index, objectId, ord, ...place, ...citedFrom(offered, place.charStart) },
    };
  }

  return {
    locate(numbers, find) {
      const passages = offered();
      return [...new Set(numbers)].flatMap((number): readonly Place[] => {
        const of = passages[number - 1];
        if (!of || looks >= MAX_LOOKUPS) return [];
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
