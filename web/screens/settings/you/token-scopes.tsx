import type { components } from '../../../api/schema.js';
import { settingsText } from '../../../i18n/settings-text.ts';

export type Scope = components['schemas']['TokenCard']['scopes'][number];

export interface TokenScopesProps {
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

/** What a token may do, each with what it covers. */
export function TokenScopes({ scopes, onChange }: TokenScopesProps) {
  const text = settingsText();
  const names = Object.entries(text.scopes) as [Scope, string][];
  return (
    <fieldset class="scopes">
      <legend class="vh">{text.access}</legend>
      {names.map(([scope, label]) => (
        <label key={scope} class="check">
          <input
            type="checkbox"
            checked={scopes.includes(scope)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...scopes, scope] : scopes.filter((each) => each !== scope))
            }
          />
          <span>
            {label} <span class="soft">{text.scopeHints[scope]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
