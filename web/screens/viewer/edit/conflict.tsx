import { t } from '../../../i18n/viewer.ts';

interface ConflictProps {
  readonly yours: string;
  readonly theirs: string;
  readonly onChoose: (choice: 'yours' | 'theirs') => void;
}

/** Both texts side by side, after the document was changed somewhere else. Nothing is lost until one is chosen. */
export function Conflict({ yours, theirs, onChoose }: ConflictProps) {
  const { viewer } = t();
  return (
    <>
      <p class="note bad page-note" role="alert">
        {viewer.conflict}
      </p>
      <div class="beside conflict">
        {(
          [
            ['yours', viewer.yours, viewer.useYours, yours],
            ['theirs', viewer.theirs, viewer.useTheirs, theirs],
          ] as const
        ).map(([choice, name, act, text]) => (
          <section key={choice} aria-label={name}>
            <div class="conflict-head">
              <h2 class="grow">{name}</h2>
              <button
                type="button"
                class={choice === 'yours' ? 'button strong small' : 'button small'}
                onClick={() => onChoose(choice)}
              >
                {act}
              </button>
            </div>
            <pre tabIndex={0} dir="auto">
              {text}
            </pre>
          </section>
        ))}
      </div>
    </>
  );
}
