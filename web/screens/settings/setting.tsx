import type { ComponentChildren } from 'preact';
import { useId } from '../../ui/use-id.ts';

export interface SettingProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** One matter: what it is at the start, what can be done beside it. */
export function Setting({ title, hint, children }: SettingProps) {
  const id = useId();
  return (
    <section class="setting" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {hint !== undefined && <p>{hint}</p>}
      </div>
      <div class="form">{children}</div>
    </section>
  );
}
