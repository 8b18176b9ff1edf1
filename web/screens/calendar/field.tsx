import type { ComponentChildren } from 'preact';
import { t } from '../../i18n/calendar.ts';
import { useId } from '../../ui/use-id.ts';
import type { Faults } from './form-state.ts';

interface FieldProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
}

/** A field with its name, and with what is wrong with it. */
export function Field({
  label,
  fault,
  children,
}: {
  label: string;
  fault?: Faults[keyof Faults] | undefined;
  children: (props: FieldProps) => ComponentChildren;
}) {
  const id = useId();
  const faultId = `${id}-fault`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': fault ? faultId : undefined })}
      {fault && (
        <p class="fault" id={faultId} role="alert">
          {t().calendar.faults[fault]}
        </p>
      )}
    </div>
  );
}
