import { useState } from 'preact/hooks';
import { t } from '../../../i18n/connections.ts';
import type { Attempt } from '../attempt.tsx';
import { Choice } from '../choice.tsx';
import { bucketPreset, bucketPresetAt, BUCKET_PRESETS, OTHER } from './bucket-presets.ts';
import { ConnectionButtons } from './connection-buttons.tsx';
import {
  connectBucket,
  inBucket,
  type BucketConfig,
  type Card,
  type Connections,
} from './connection.ts';
import { fieldErrors, InvalidField, useFocusOnRefusal } from './refusals.tsx';
import { TextField } from './text-field.tsx';
import { useDraft } from './use-draft.ts';

const FIRST = 'aws';

const fieldsOf = (config: BucketConfig | undefined) => ({
  preset: config ? bucketPresetAt(config.endpoint) : FIRST,
  endpoint: config?.endpoint ?? '',
  region: config?.region ?? bucketPreset(FIRST)?.region ?? '',
  bucket: config?.bucket ?? '',
  prefix: config?.prefix ?? '',
  style:
    config?.force_path_style === undefined ? 'auto' : config.force_path_style ? 'path' : 'host',
  accessKey: config?.access_key_id ?? '',
});
type BucketFields = ReturnType<typeof fieldsOf>;

function configOf(fields: BucketFields): BucketConfig {
  const { preset, region, bucket, style, accessKey } = fields;
  const [endpoint, prefix] = [fields.endpoint.trim(), fields.prefix.trim()];
  // Without an endpoint the secret would go to Amazon.
  if (preset !== FIRST && endpoint === '') throw new InvalidField('endpoint');
  return {
    ...(preset !== FIRST && { endpoint }),
    region: region.trim(),
    bucket: bucket.trim(),
    ...(prefix !== '' && { prefix }),
    ...(style !== 'auto' && { force_path_style: style === 'path' }),
    access_key_id: accessKey.trim(),
  };
}

/** What a preset fills in. */
function fieldsWith(id: string): Partial<BucketFields> {
  const preset = bucketPreset(id);
  if (!preset) return { preset: OTHER };
  const { region, endpointOf, pathStyle } = preset;
  return {
    preset: id,
    region,
    endpoint: endpointOf?.(region) ?? '',
    style: pathStyle ? 'path' : 'auto',
  };
}

export interface BucketFormProps {
  readonly card: Connections['bucket'];
  readonly attempt: Attempt;
  readonly onSwitchOn: () => void;
}

/** The settings of the bucket. The secret is write-only. */
export function BucketForm({ card, attempt, onSwitchOn }: BucketFormProps) {
  const { connections: text } = t();
  const [draft, change] = useDraft(fieldsOf(card.of));
  const [secret, setSecret] = useState('');
  const refused = fieldErrors(attempt.error);
  const form = useFocusOnRefusal(attempt.error);
  const preset = bucketPreset(draft.preset);
  const files = card.progress && card.configured ? inBucket(card.progress) : 0;
  const save = async () => {
    let saved: Card | undefined;
    await attempt.run(async () => {
      saved = await connectBucket(configOf(draft), secret);
    });
    if (!saved) return;
    setSecret('');
    change(fieldsOf(saved.config as unknown as BucketConfig));
  };
  const changeRegion = (region: string) => {
    const isDerived = preset?.endpointOf?.(draft.region) === draft.endpoint;
    const endpoint = isDerived ? preset?.endpointOf?.(region) : undefined;
    change({ region, ...(endpoint !== undefined && { endpoint }) });
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
        value={draft.preset}
        options={[
          ...BUCKET_PRESETS.map(({ id, name }) => [id, name] as const),
          [OTHER, text.otherService],
        ]}
        onChoose={(id) => change(fieldsWith(id))}
      />
      {draft.preset !== FIRST && (
        <TextField
          label={text.endpoint}
          value={draft.endpoint}
          placeholder={preset?.placeholder ?? 'https://…'}
          hint={text.endpointHint}
          error={refused.get('endpoint')}
          onInput={(endpoint) => change({ endpoint })}
        />
      )}
      <div class="pairs">
        <TextField
          label={text.bucket}
          value={draft.bucket}
          error={refused.get('bucket')}
          onInput={(bucket) => change({ bucket })}
        />
        <TextField
          label={text.region}
          value={draft.region}
          error={refused.get('region')}
          onInput={changeRegion}
        />
      </div>
      <div class="pairs">
        <TextField
          label={text.accessKey}
          value={draft.accessKey}
          error={refused.get('access_key_id')}
          onInput={(accessKey) => change({ accessKey })}
        />
        <TextField
          label={text.secret}
          value={secret}
          isSecret
          placeholder={card.secret_hint === '' ? '' : text.stored(card.secret_hint)}
          hint={card.configured ? text.secretHint : undefined}
          error={refused.get('secret')}
          onInput={setSecret}
        />
      </div>
      <TextField
        label={text.prefix}
        value={draft.prefix}
        hint={text.prefixHint}
        error={refused.get('prefix')}
        onInput={(prefix) => change({ prefix })}
      />
      <Choice
        label={text.pathStyle}
        value={draft.style}
        options={(['auto', 'path', 'host'] as const).map((each) => [each, text.pathStyles[each]])}
        onChoose={(style) => change({ style })}
      />
      <ConnectionButtons
        card={card}
        isBusy={attempt.isBusy}
        onSwitchOn={onSwitchOn}
        files={files}
      />
    </form>
  );
}
