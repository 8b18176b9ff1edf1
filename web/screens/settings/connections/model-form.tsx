import { useState } from 'preact/hooks';
import { hostOf, isInOwnNetwork } from '../../../data/own-network.ts';
import { t } from '../../../i18n/connections.ts';
import type { Attempt } from '../attempt.tsx';
import { Choice } from '../choice.tsx';
import { ConnectionButtons } from './connection-buttons.tsx';
import { connectModel, type Card, type Connections, type ModelConfig } from './connection.ts';
import { MODEL_PRESETS, modelPresetAt } from './model-presets.ts';
import { fieldErrors, InvalidField, useFocusOnRefusal } from './refusals.tsx';
import { TextField } from './text-field.tsx';
import { useDraft } from './use-draft.ts';

const OTHER = 'other';

const fieldsOf = (config: ModelConfig | undefined) => ({
  url: config?.base_url ?? '',
  model: config?.model ?? '',
  tokens: config?.context_tokens?.toString() ?? '',
  temperature: config?.temperature?.toString() ?? '',
});

/** A number as it is typed, with the decimal sign of any language. JSON has no other value for one that is none. */
function numberIn(typed: string, field: string): number {
  const value = Number(typed.trim().replace(',', '.'));
  if (Number.isNaN(value)) throw new InvalidField(field);
  return value;
}

function configOf(
  { url, model, tokens, temperature }: ReturnType<typeof fieldsOf>,
  stored: ModelConfig | undefined,
): ModelConfig {
  return {
    base_url: url.trim(),
    model: model.trim(),
    ...(stored?.embedding_model !== undefined && { embedding_model: stored.embedding_model }),
    ...(tokens.trim() !== '' && { context_tokens: numberIn(tokens, 'context_tokens') }),
    ...(temperature.trim() !== '' && { temperature: numberIn(temperature, 'temperature') }),
  };
}

export interface ModelFormProps {
  readonly card: Connections['model'];
  readonly attempt: Attempt;
  readonly onSwitchOn: () => void;
}

/** The settings of the model. The key is write-only. */
export function ModelForm({ card, attempt, onSwitchOn }: ModelFormProps) {
  const { connections: text } = t();
  const [draft, change] = useDraft(fieldsOf(card.of));
  const [secret, setSecret] = useState('');
  const refused = fieldErrors(attempt.error);
  const form = useFocusOnRefusal(attempt.error);
  const preset = modelPresetAt(draft.url);
  const host = hostOf(draft.url.trim());
  const save = async () => {
    let saved: Card | undefined;
    await attempt.run(async () => {
      saved = await connectModel(configOf(draft, card.of), secret);
    });
    if (!saved) return;
    setSecret('');
    change(fieldsOf(saved.config as unknown as ModelConfig));
  };
  return (
    <form
      ref={form}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!attempt.isBusy) void save();
      }}
    >
      <Choice
        label={text.service}
        value={preset?.id ?? OTHER}
        options={[
          ...MODEL_PRESETS.map(({ id, name }) => [id, name] as const),
          [OTHER, text.otherService],
        ]}
        onChoose={(id) => change({ url: MODEL_PRESETS.find((each) => each.id === id)?.url ?? '' })}
      />
      <TextField
        label={text.address}
        value={draft.url}
        placeholder="https://…/v1"
        hint={preset?.id === 'llamacpp' ? text.llamaHint : text.addressHint}
        error={refused.get('base_url')}
        onInput={(url) => change({ url })}
      />
      <div class="pairs">
        <TextField
          label={text.model}
          value={draft.model}
          hint={preset && text.forExample(preset.example)}
          error={refused.get('model')}
          onInput={(model) => change({ model })}
        />
        <TextField
          label={text.contextTokens}
          value={draft.tokens}
          placeholder="8192"
          isNumber
          error={refused.get('context_tokens')}
          onInput={(tokens) => change({ tokens })}
        />
      </div>
      <TextField
        label={text.key}
        value={secret}
        isSecret
        placeholder={card.secret_hint === '' ? '' : text.stored(card.secret_hint)}
        hint={preset?.isLocal ? text.keyLocalHint : text.keyHint}
        error={refused.get('secret')}
        onInput={setSecret}
      />
      <details class="fold" open={refused.has('temperature')}>
        <summary>{text.more}</summary>
        <TextField
          label={text.temperature}
          value={draft.temperature}
          hint={text.temperatureHint}
          isNumber
          error={refused.get('temperature')}
          onInput={(temperature) => change({ temperature })}
        />
      </details>
      {host !== '' && (
        <p class="soft">{isInOwnNetwork(host) ? text.costsNothing : text.costs(host)}</p>
      )}
      <ConnectionButtons card={card} isBusy={attempt.isBusy} onSwitchOn={onSwitchOn} />
    </form>
  );
}
