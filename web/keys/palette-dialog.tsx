import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useMemo, useRef } from 'preact/hooks';
import { useDebounced } from '../data/debounced.ts';
import { useResource } from '../data/resource.ts';
import { t } from '../i18n/search.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Failed } from '../ui/notice.tsx';
import { currentActions } from './action.ts';
import { KeyNames } from './key-names.tsx';
import type { Choice } from './palette-choice.ts';
import { localSections, remoteSections, typedOf, type Section } from './palette-choices.ts';
import { useId } from '../ui/use-id.ts';

interface PaletteProps {
  /** What was typed before the palette was there. */
  readonly takeTyped: () => string;
  readonly onClose: () => void;
  /** Is called with what the choice does; it is done once the palette is closed. */
  readonly onChoose: (run: () => void) => void;
}

/** A combobox over a listbox: the focus stays in the field, the arrow keys move the choice. */
export default function PaletteDialog({ takeTyped, onClose, onChoose }: PaletteProps) {
  const { route } = useLocation();
  const id = useId();
  const typedBefore = useMemo(takeTyped, []);
  const text = useSignal(typedBefore);
  const at = useSignal(0);
  // Those of the screen below: the palette has none of its own.
  const actions = useMemo(() => currentActions(), []);
  const typed = typedOf(text.value);
  const settled = useDebounced(text.value);
  const { data: remote, error } = useResource(`palette ${settled}`, (signal) =>
    remoteSections(typedOf(settled), route, signal),
  );
  const sections = merged([...(remote ?? []), ...localSections(typed, actions, route)]);
  const choices = sections.flatMap((section) => section.choices);
  const active = Math.min(at.value, choices.length - 1);
  const optionId = (nth: number) => `${id}-${nth}`;
  const list = useRef<HTMLDivElement>(null);

  const choose = (choice: Choice | undefined) => choice && onChoose(choice.run);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS.get(event.key);
    if (event.isComposing) return;
    if (event.key === 'Enter') choose(choices[active]);
    else if (step !== undefined && choices.length > 0) {
      at.value = (active + step + choices.length) % choices.length;
      list.current?.querySelector(`[id="${optionId(at.value)}"]`)?.scrollIntoView({
        block: 'nearest',
      });
    } else return;
    event.preventDefault();
  };
  let nth = 0;
  return (
    <Dialog title={t().search.paletteTitle} wide onClose={onClose}>
      <input
        type="text"
        class="input palette-field"
        role="combobox"
        aria-label={t().search.paletteTitle}
        aria-expanded={choices.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? optionId(active) : undefined}
        placeholder={t().search.paletteHint}
        value={text.value}
        autocomplete="off"
        spellcheck={false}
        autofocus
        onInput={(event) => {
          text.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <p class="palette-prefixes" aria-hidden="true">
        {Object.entries(t().search.prefixes).map(([prefix, name]) => (
          <span key={prefix}>
            <kbd>{prefix}</kbd> {name}
          </span>
        ))}
      </p>
      {error !== undefined && <Failed error={error} />}
      <div id={id} ref={list} class="palette-list" role="listbox" aria-label={t().search.results}>
        {sections.map((section) => (
          <div key={section.id} role="group" aria-label={t().search.sections[section.id]}>
            <p class="palette-section" aria-hidden="true">
              {t().search.sections[section.id]}
            </p>
            {section.choices.map((choice) => {
              const place = nth++;
              return (
                <Option
                  key={choice.id}
                  id={optionId(place)}
                  choice={choice}
                  isActive={place === active}
                  onPoint={() => void (at.value = place)}
                  onChoose={() => choose(choice)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <p class={choices.length === 0 ? 'soft' : 'vh'} role="status">
        {choices.length === 0 ? t().search.paletteEmpty : t().search.paletteCount(choices.length)}
      </p>
    </Dialog>
  );
}

const STEPS = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

interface OptionProps {
  readonly id: string;
  readonly choice: Choice;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

/** Pressed with the pointer, or chosen with Enter in the field. */
const Option = ({ id, choice, isActive, onPoint, onChoose }: OptionProps) => (
  <div
    id={id}
    class="palette-option"
    role="option"
    aria-selected={isActive}
    onPointerMove={onPoint}
    onClick={onChoose}
  >
    <Icon name={choice.icon} />
    <bdi class="cut grow">{choice.label}</bdi>
    {choice.detail && <bdi class="soft cut">{choice.detail}</bdi>}
    {choice.keys && <KeyNames keys={choice.keys} />}
  </div>
);

/** One section of each kind, without the choices that are in it twice, and none that is empty. */
function merged(sections: readonly Section[]): readonly Section[] {
  const byId = Map.groupBy(sections, ({ id }) => id);
  return [...byId]
    .map(([id, same]) => {
      const choices = new Map(same.flatMap((each) => each.choices).map((each) => [each.id, each]));
      return { id, choices: [...choices.values()] };
    })
    .filter(({ choices }) => choices.length > 0);
}
