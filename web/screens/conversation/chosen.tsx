import { t } from '../../i18n/ask.ts';
import type { NamedDocument } from '../../state/ask-about.ts';
import { Icon } from '../../ui/icon.tsx';

interface ChosenProps {
  readonly label: string;
  /** On the button that leaves out all of them. */
  readonly none: string;
  readonly documents: readonly NamedDocument[];
  readonly onChange: (documents: readonly NamedDocument[]) => void;
}

const MAX_SHOWN = 6;

/** The documents that a message is about. */
export const Chosen = ({ label, none, documents, onChange }: ChosenProps) => (
  <ul class="chosen" aria-label={label}>
    {documents.slice(0, MAX_SHOWN).map(({ id, name }) => (
      <li key={id} class="tag">
        <bdi class="cut">{name}</bdi>
        <button
          type="button"
          class="tool small"
          aria-label={t().ask.withoutDocument(name)}
          onClick={() => onChange(documents.filter((each) => each.id !== id))}
        >
          <Icon name="x" small />
        </button>
      </li>
    ))}
    {documents.length > MAX_SHOWN && (
      <li class="soft">{t().ask.moreDocuments(documents.length - MAX_SHOWN)}</li>
    )}
    <li>
      <button type="button" class="act" onClick={() => onChange([])}>
        {none}
      </button>
    </li>
  </ul>
);
