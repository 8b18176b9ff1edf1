import { useLocation } from 'preact-iso';
import { to } from '../../app/address.ts';
import { t } from '../../i18n/viewer.ts';
import { citedAnswer, type CitedAnswer } from '../../state/cited.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Citation, CitedPlace } from './text/cited-place.ts';

export const placeAddress = ({ object_id: id, char_start: start, char_end: end }: Citation) =>
  to(`/object/${id}#t=${start}-${end}`);

/** The citation of the answer that an address means, if it is one of this answer. */
export const citationAt = (
  answer: CitedAnswer | undefined,
  id: string,
  place: { readonly start: number; readonly end: number } | undefined,
): Citation | undefined =>
  place &&
  answer?.citations.find(
    (each) =>
      each.object_id === id && each.char_start === place.start && each.char_end === place.end,
  );

/** The citation before or after, among all of the answer; the ends are joined. */
export function neighbour(current: Citation, step: 1 | -1): Citation | undefined {
  const all = citedAnswer.value?.citations ?? [];
  const at = all.findIndex(({ index }) => index === current.index);
  return all.at((at + step) % Math.max(1, all.length));
}

interface CitedStripProps {
  readonly citation: Citation;
  readonly place: CitedPlace | 'gone' | undefined;
  readonly version: number;
  /** Shows the version that has the words. Undefined while it is shown. */
  readonly onEarlier: ((version: number) => void) | undefined;
}

/** For which question the words are cited, and the way to the other citations and back. */
export function CitedStrip({ citation, place, version, onEarlier }: CitedStripProps) {
  const { viewer } = t();
  const { route } = useLocation();
  const { value: answer } = citedAnswer;
  if (!answer) return null;
  const here = answer.citations.filter(({ object_id: id }) => id === citation.object_id);
  const at = here.findIndex(({ index }) => index === citation.index);
  const had = citation.version ?? undefined;
  const go = (step: 1 | -1) => () => {
    const next = neighbour(citation, step);
    if (next) route(placeAddress(next), next.object_id === citation.object_id);
  };
  const [before, after] = viewer.citedFor.split('{question}');
  return (
    <div class="cited" role="group" aria-label={viewer.citation}>
      <span class="cite" aria-hidden="true">
        {citation.index}
      </span>
      <p class="grow words">
        {before}
        <b>
          <bdi>{answer.question}</bdi>
        </b>
        {after}
        {place === 'gone' && <span class="honest"> {viewer.gone(had)}</span>}
        {place === 'gone' && had !== undefined && had < version && onEarlier && (
          <>
            {' '}
            <button type="button" class="act" onClick={() => onEarlier(had)}>
              {viewer.show}
            </button>
          </>
        )}
        {place !== 'gone' && place?.hasMoved && <span class="honest"> {viewer.moved}</span>}
        {place !== 'gone' && !place?.hasMoved && (citation.version ?? version) < version && (
          <span class="honest"> {viewer.newerVersion(version)}</span>
        )}
      </p>
      <span class="soft num">{viewer.citationOf(at + 1, here.length)}</span>
      <button
        type="button"
        class="tool small"
        aria-label={viewer.actions.citationBefore}
        onClick={go(-1)}
      >
        <Icon name="up" small />
      </button>
      <button
        type="button"
        class="tool small"
        aria-label={viewer.actions.citationAfter}
        onClick={go(1)}
      >
        <Icon name="down" small />
      </button>
      <a
        class="act hide-phone"
        href={to(answer.chatId ? `${answer.place}/${answer.chatId}` : answer.place)}
      >
        {viewer.backToAnswer}
      </a>
    </div>
  );
}
