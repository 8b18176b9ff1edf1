import type { ComponentChildren } from 'preact';
import { formatMoment, formatSize } from '../../i18n/format.ts';
import { t } from '../../i18n/shares.ts';
import { useId } from '../../ui/use-id.ts';
import type { ShareLink, Subject } from './share-data.ts';
import {
  BYTE_LIMITS,
  ENDS,
  MAX_NAME_LENGTH,
  makePassword,
  type End,
  type TermField,
  type Terms,
} from './terms.ts';

export interface LinkFieldsProps {
  readonly kind: Subject['kind'];
  /** What visitors read without a name. */
  readonly resource: string;
  /** The link that is changed; a new one without. */
  readonly share?: ShareLink;
  readonly terms: Terms;
  readonly wrong: readonly TermField[];
  readonly onChange: (terms: Terms) => void;
}

/** Name, permission, password and end of a link. */
export function LinkFields(props: LinkFieldsProps) {
  const { kind, resource, terms, wrong, onChange } = props;
  const { shares } = t();
  const id = useId();
  const isWrong = wrong.includes('name');
  return (
    <>
      <div class="field">
        <label for={id}>{shares.name}</label>
        <input
          id={id}
          class="input"
          dir="auto"
          autocomplete="off"
          maxLength={MAX_NAME_LENGTH}
          placeholder={resource}
          value={terms.name}
          aria-invalid={isWrong}
          aria-describedby={`${id}-hint`}
          onInput={({ currentTarget: { value } }) => onChange({ ...terms, name: value })}
        />
        <Hint id={`${id}-hint`} isWrong={isWrong} wrong={shares.wrong.name}>
          {shares.nameHint}
        </Hint>
      </div>
      {kind === 'folder' && <Permission {...props} />}
      <div class="pairs">
        <Password {...props} />
        <Ends {...props} />
      </div>
    </>
  );
}

interface HintProps {
  readonly id: string;
  readonly isWrong: boolean;
  readonly wrong: string;
  readonly children?: ComponentChildren;
}

/** What a field is for, or what is wrong with it. */
const Hint = ({ id, isWrong, wrong, children }: HintProps) => (
  <span id={id} class={`hint${isWrong ? ' wrong' : ''}`} role={isWrong ? 'alert' : undefined}>
    {isWrong ? wrong : children}
  </span>
);

function Permission({ terms, wrong, onChange }: LinkFieldsProps) {
  const { shares } = t();
  const id = useId();
  const isWrong = wrong.includes('maxFiles');
  const sizes = [...new Set([...BYTE_LIMITS, terms.maxBytes])].toSorted((a, b) => a - b);
  const choice = (mayAdd: boolean, [word, more]: readonly [string, string]) => (
    <label class="radio">
      <input
        type="radio"
        name={id}
        checked={terms.mayAdd === mayAdd}
        onChange={() => onChange({ ...terms, mayAdd })}
      />
      <span>
        <b>{word}</b> {more}
      </span>
    </label>
  );
  return (
    <>
      <fieldset class="field">
        <legend class="label">{shares.may}</legend>
        <div class="pairs">
          {choice(false, shares.look)}
          {choice(true, shares.lookAndAdd)}
        </div>
      </fieldset>
      {terms.mayAdd && (
        <div class="pairs">
          <div class="field">
            <label for={`${id}-files`}>{shares.maxFiles}</label>
            <input
              id={`${id}-files`}
              class="input"
              inputmode="numeric"
              autocomplete="off"
              value={terms.maxFiles}
              aria-invalid={isWrong}
              aria-describedby={`${id}-hint`}
              onInput={({ currentTarget: { value } }) => onChange({ ...terms, maxFiles: value })}
            />
            <Hint id={`${id}-hint`} isWrong={isWrong} wrong={shares.wrong.maxFiles} />
          </div>
          <div class="field">
            <label for={`${id}-bytes`}>{shares.maxBytes}</label>
            <select
              id={`${id}-bytes`}
              class="input"
              value={String(terms.maxBytes)}
              onChange={({ currentTarget: { value } }) =>
                onChange({ ...terms, maxBytes: Number(value) })
              }
            >
              {sizes.map((bytes) => (
                <option key={bytes} value={String(bytes)} selected={bytes === terms.maxBytes}>
                  {formatSize(bytes)}
                </option>
              ))}
            </select>
          </div>
        </div>
      )}
    </>
  );
}

function Password({ share, terms, wrong, onChange }: LinkFieldsProps) {
  const { shares } = t();
  const id = useId();
  const isWrong = wrong.includes('password');
  const hasOne = share?.has_password === true;
  return (
    <div class="field">
      <label for={id}>{hasOne ? shares.newPassword : shares.password}</label>
      <input
        id={id}
        class="input mono"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        disabled={terms.dropsPassword}
        value={terms.password}
        aria-invalid={isWrong}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget: { value } }) => onChange({ ...terms, password: value })}
      />
      <Hint id={`${id}-hint`} isWrong={isWrong} wrong={shares.wrong.password}>
        {hasOne ? shares.passwordStays : shares.passwordHint}
      </Hint>
      <button
        type="button"
        class="act"
        disabled={terms.dropsPassword}
        onClick={() => onChange({ ...terms, password: makePassword() })}
      >
        {shares.makePassword}
      </button>
      {hasOne && (
        <div>
          <label class="check">
            <input
              type="checkbox"
              checked={terms.dropsPassword}
              onChange={({ currentTarget: { checked } }) =>
                onChange({ ...terms, dropsPassword: checked, password: '' })
              }
            />
            {shares.dropPassword}
          </label>
        </div>
      )}
    </div>
  );
}

function Ends({ share, terms, wrong, onChange }: LinkFieldsProps) {
  const { shares } = t();
  const id = useId();
  const isWrong = wrong.includes('ends');
  const canStay = share !== undefined && share.state !== 'expired';
  const names: readonly (readonly [End, string])[] = [
    ...(canStay ? [['same', shares.sameEnd] as const] : []),
    ...ENDS.map(
      (each) =>
        [each, each === 'never' ? shares.neverEnds : shares.afterDays(Number(each))] as const,
    ),
  ];
  return (
    <div class="field">
      <label for={id}>{shares.ends}</label>
      <select
        id={id}
        class="input"
        value={terms.ends}
        aria-invalid={isWrong}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget: { value } }) => onChange({ ...terms, ends: value as End })}
      >
        {names.map(([each, name]) => (
          <option key={each} value={each} selected={each === terms.ends}>
            {name}
          </option>
        ))}
      </select>
      <Hint id={`${id}-hint`} isWrong={isWrong} wrong={shares.wrong.ends}>
        {share?.expires_at && canStay ? shares.endsNow(formatMoment(share.expires_at)) : ''}
      </Hint>
    </div>
  );
}
