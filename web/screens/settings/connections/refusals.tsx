import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../../api/errors.ts';
import { t } from '../../../i18n/connections.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Refused } from '../attempt.tsx';

/** A field with a value that can not be sent. */
export class InvalidField extends Error {
  override readonly name = 'InvalidField';
  readonly field: string;

  constructor(field: string) {
    super(field);
    this.field = field;
  }
}

/** Why fields were refused, by their names. */
export function fieldErrors(error: unknown): ReadonlyMap<string, string> {
  const messages = new Map(Object.entries(t().connections.fieldErrors));
  const names =
    error instanceof InvalidField
      ? [error.field]
      : error instanceof ApiError
        ? error.fields.map(({ loc }) => String(loc.at(-1)))
        : [];
  return new Map(
    names.flatMap((name) => {
      const message = messages.get(name);
      return message === undefined ? [] : [[name, message] as const];
    }),
  );
}

/** Why a change was refused, unless a field says so. */
export function Problem({ error }: { error: unknown }) {
  const { connections: text } = t();
  if (error === undefined || fieldErrors(error).size > 0) return null;
  const known = error instanceof ApiError && new Map(Object.entries(text.codes)).get(error.code);
  if (!known) return <Refused error={error} />;
  return (
    <div class="note bad" role="alert">
      <Icon name="alert" />
      <p>{known}</p>
    </div>
  );
}

/** Focuses the first field that was refused. */
export function useFocusOnRefusal(error: unknown) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return form;
}
