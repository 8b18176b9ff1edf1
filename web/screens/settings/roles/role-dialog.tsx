import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { TOOLSETS, type Role } from '../../../data/roles.ts';
import { t } from '../../../i18n/roles.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failed } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useId } from '../../../ui/use-id.ts';
import { useAttempt } from '../attempt.tsx';
import { Switch } from '../choice.tsx';
import {
  createRole,
  editRole,
  emptyDraft,
  FIELDS,
  problemsOf,
  rejectedFields,
  slugOf,
  type DraftField,
  type Problems,
  type RoleDraft,
} from './role-draft.ts';

interface RoleDialogProps {
  /** Undefined for a new one. */
  readonly role: Role | undefined;
  readonly onClose: () => void;
}

/** Creates a role, or changes one. What is rejected stands next to its field. */
export function RoleDialog({ role, onClose }: RoleDialogProps) {
  const { roles: text, shell } = t();
  const attempt = useAttempt();
  const id = useId();
  const draft = useSignal<RoleDraft>(role ?? emptyDraft);
  const problems = useSignal<Problems>({});
  const hasOwnSlug = useRef(false);
  const form = useRef<HTMLDivElement>(null);
  const show = (found: Problems) => {
    problems.value = found;
    const first = FIELDS.find((field) => found[field] !== undefined);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    return first === undefined;
  };
  const change = (field: DraftField) => (value: string) => {
    if (field === 'slug') hasOwnSlug.current = true;
    const named = field === 'name' && !role && !hasOwnSlug.current;
    draft.value = { ...draft.value, [field]: value, ...(named && { slug: slugOf(value) }) };
    problems.value = { ...problems.value, [field]: undefined };
  };
  const submit = async () => {
    const { value } = draft;
    if (attempt.isBusy || !show(problemsOf(value))) return;
    const rejected: Problems[] = [];
    const isDone = await attempt.run(async () => {
      try {
        if (role) await editRole(role, value);
        else toast(text.created((await createRole(value)).name));
      } catch (error) {
        // What is about a field stands there.
        const found = rejectedFields(error);
        if (!found) throw error;
        rejected.push(found);
      }
    });
    const [found] = rejected;
    if (found) show(found);
    else if (isDone) onClose();
  };
  const field = (name: DraftField, hint?: string) => (
    <Field
      id={`${id}-${name}`}
      name={name}
      hint={hint}
      value={draft.value[name]}
      problem={problems.value[name]}
      onChange={change(name)}
    />
  );
  return (
    <Dialog
      title={role ? text.editTitle : text.create}
      wide
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
          <button type="submit" class="button strong" disabled={attempt.isBusy}>
            {attempt.isBusy ? text.saving : role ? text.save : text.create}
          </button>
        </>
      }
    >
      <div class="form role-form" ref={form}>
        {attempt.error !== undefined && <Failed error={attempt.error} />}
        {field('name')}
        {!role && field('slug', text.slugHint)}
        {field('description')}
        {field('persona', text.personaHint)}
        <fieldset class="field">
          <legend>{text.tools}</legend>
          {TOOLSETS.map((each) => (
            <Switch
              key={each}
              label={text.toolsets[each]}
              isOn={draft.value.toolsets.includes(each)}
              onSwitch={(isOn) => {
                const toolsets = TOOLSETS.filter((one) =>
                  one === each ? isOn : draft.value.toolsets.includes(one),
                );
                draft.value = { ...draft.value, toolsets };
              }}
            />
          ))}
          <span class="hint">{text.toolsHint}</span>
        </fieldset>
      </div>
    </Dialog>
  );
}

interface FieldProps {
  readonly id: string;
  readonly name: DraftField;
  readonly value: string;
  readonly hint: string | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

function Field({ id, name, value, hint, problem, onChange }: FieldProps) {
  const described = problem ? `${id}-problem` : hint ? `${id}-hint` : undefined;
  const shared = {
    id,
    name,
    value,
    'aria-invalid': problem ? ('true' as const) : undefined,
    'aria-describedby': described,
    autocomplete: 'off',
  };
  return (
    <div class="field">
      <label for={id}>{t().roles[name]}</label>
      {name === 'persona' ? (
        <textarea
          {...shared}
          class="input tall"
          dir="auto"
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          {...shared}
          class="input"
          dir="auto"
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      {problem ? (
        <span id={`${id}-problem`} class="hint problem" role="alert">
          {problem}
        </span>
      ) : (
        hint && (
          <span id={`${id}-hint`} class="hint">
            {hint}
          </span>
        )
      )}
    </div>
  );
}
