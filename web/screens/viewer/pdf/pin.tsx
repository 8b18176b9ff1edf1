import { t } from '../../../i18n/viewer.ts';

interface PinProps {
  readonly index: number;
  /** In fractions of the page. */
  readonly top: number;
  readonly isCited: boolean;
  readonly onPress: (index: number) => void;
}

/** The number of a citation, beside its words. */
export const Pin = ({ index, top, isCited, onPress }: PinProps) => (
  <button
    type="button"
    class="cite pin"
    aria-current={isCited || undefined}
    aria-label={t().viewer.source(index)}
    style={{ insetBlockStart: `${top * 100}%` }}
    onClick={() => onPress(index)}
  >
    {index}
  </button>
);
