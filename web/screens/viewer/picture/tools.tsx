import type { ComponentChildren } from 'preact';
import { formatSize } from '../../../i18n/format.ts';
import { t } from '../../../i18n/picture.ts';
import { useId } from '../../../ui/use-id.ts';
import {
  EMPTY,
  MAX_QUALITY,
  MAX_SIDE_PIXELS,
  MIN_QUALITY,
  MIN_SIDE_PIXELS,
  croppedSize,
  isEmpty,
  mirrored,
  regionOf,
  resultSize,
  stepsOf,
  turned,
  turnedSize,
  type Box,
  type Draft,
  type Pixels,
} from './draft.ts';
import { NumberField } from './number-field.tsx';

const DEFAULT_QUALITY = 80;

export interface ToolsProps {
  readonly draft: Draft;
  readonly natural: Pixels;
  readonly mime: string;
  /** Of the file, in bytes. */
  readonly bytes: number;
  readonly encodedBytes: number | undefined;
  readonly version: number;
  readonly isCropping: boolean;
  readonly isBusy: boolean;
  readonly onDraft: (draft: Draft) => void;
  readonly onCropping: (isCropping: boolean) => void;
  readonly onSave: () => void;
}

/** Everything that can be done with the picture, the sizes before and after, and Save. */
export function Tools(props: ToolsProps) {
  const { draft, version, isBusy, onDraft, onCropping, onSave } = props;
  const { picture: texts } = t();
  const count = stepsOf(draft).length;
  return (
    <aside class="panel" aria-label={texts.tools}>
      <div class="panel-bar">
        <h2>{texts.tools}</h2>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={texts.tools}>
        <fieldset class="panel-in picture-tools" disabled={isBusy}>
          <TurnTools draft={draft} onDraft={onDraft} />
          <CropTools {...props} />
          <SizeTools {...props} />
          <QualityTools {...props} />
          <Sizes {...props} />
        </fieldset>
      </div>
      <div class="panel-foot picture-foot">
        <span class="grow soft" role="status">
          {count > 0 && texts.makesVersions(count, version)}
        </span>
        <button
          type="button"
          class="button"
          disabled={isBusy || isEmpty(draft)}
          onClick={() => {
            onDraft(EMPTY);
            onCropping(false);
          }}
        >
          {texts.reset}
        </button>
        <button
          type="button"
          class="button strong"
          disabled={isBusy || isEmpty(draft)}
          onClick={onSave}
        >
          {texts.save}
        </button>
      </div>
    </aside>
  );
}

function TurnTools({ draft, onDraft }: Pick<ToolsProps, 'draft' | 'onDraft'>) {
  const { picture: texts } = t();
  const button = (label: string, next: Draft) => (
    <button type="button" class="button small" onClick={() => onDraft(next)}>
      {label}
    </button>
  );
  return (
    <>
      <h3>{texts.turn}</h3>
      <div class="buttons">
        {button(texts.turnLeft, turned(draft, 'left'))}
        {button(texts.turnRight, turned(draft, 'right'))}
        {button(texts.mirrorSides, mirrored(draft, 'h'))}
        {button(texts.mirrorTop, mirrored(draft, 'v'))}
      </div>
    </>
  );
}

const WHOLE: Box = { left: 0, top: 0, right: 1, bottom: 1 };

function CropTools({ draft, natural, isCropping, onDraft, onCropping }: ToolsProps) {
  const { picture: texts } = t();
  const whole = turnedSize(natural, draft);
  const region = regionOf(whole, draft.crop ?? WHOLE);
  const { left, top, width, height } = region;
  const set = (part: Partial<typeof region>) => {
    const next = { ...region, ...part };
    const crop: Box = {
      left: next.left / whole.width,
      top: next.top / whole.height,
      right: Math.min(1, (next.left + next.width) / whole.width),
      bottom: Math.min(1, (next.top + next.height) / whole.height),
    };
    onDraft({ ...draft, crop, maxSide: undefined });
  };
  const field = (
    label: string,
    value: number,
    min: number,
    max: number,
    name: keyof typeof region,
  ) => (
    <NumberField
      label={label}
      value={value}
      min={min}
      max={max}
      onChange={(typed) => set({ [name]: typed })}
    />
  );
  return (
    <>
      <h3>{texts.crop}</h3>
      <div class="buttons">
        <button
          type="button"
          class="button small"
          aria-pressed={isCropping}
          onClick={() => onCropping(!isCropping)}
        >
          {isCropping ? texts.cropEnd : texts.cropStart}
        </button>
        {draft.crop && (
          <button
            type="button"
            class="button small"
            onClick={() => onDraft({ ...draft, crop: undefined, maxSide: undefined })}
          >
            {texts.cropAll}
          </button>
        )}
      </div>
      {isCropping && (
        <>
          <p id="crop-hint" class="soft">
            {texts.cropHint}
          </p>
          <div class="pairs">
            {field(texts.left, left, 0, whole.width - width, 'left')}
            {field(texts.top, top, 0, whole.height - height, 'top')}
            {field(texts.width, width, 1, whole.width - left, 'width')}
            {field(texts.height, height, 1, whole.height - top, 'height')}
          </div>
        </>
      )}
    </>
  );
}

function SizeTools({ draft, natural, onDraft }: ToolsProps) {
  const { picture: texts } = t();
  const before = croppedSize(natural, draft);
  const { width, height } = resultSize(natural, draft);
  const longest = Math.max(before.width, before.height);
  const isTooSmall = longest <= MIN_SIDE_PIXELS;
  /** The longest side of a picture one side of which has so many pixels. */
  const set = (side: 'width' | 'height') => (pixels: number) => {
    const maxSide = Math.round((pixels / before[side]) * longest);
    onDraft({ ...draft, maxSide: maxSide >= longest ? undefined : maxSide });
  };
  const bounds = (side: 'width' | 'height') => ({
    min: Math.min(before[side], Math.ceil((MIN_SIDE_PIXELS * before[side]) / longest)),
    max: Math.min(before[side], Math.floor((MAX_SIDE_PIXELS * before[side]) / longest)),
  });
  return (
    <>
      <h3>{texts.size}</h3>
      <div class="pairs">
        <NumberField
          label={texts.width}
          value={width}
          {...bounds('width')}
          isOff={isTooSmall}
          onChange={set('width')}
        />
        <NumberField
          label={texts.height}
          value={height}
          {...bounds('height')}
          isOff={isTooSmall}
          onChange={set('height')}
        />
      </div>
      <p class="soft">{texts.sizeHint}</p>
    </>
  );
}

function QualityTools({ draft, mime, onDraft }: ToolsProps) {
  const { picture: texts } = t();
  const id = useId();
  const { quality } = draft;
  return (
    <>
      <h3>{texts.quality}</h3>
      {mime === 'image/png' ? (
        <p class="soft">{texts.lossless}</p>
      ) : (
        <>
          <label class="pair-line">
            <input
              type="checkbox"
              checked={quality !== undefined}
              onChange={({ currentTarget }) =>
                onDraft({ ...draft, quality: currentTarget.checked ? DEFAULT_QUALITY : undefined })
              }
            />
            {texts.compress}
          </label>
          {quality !== undefined && (
            <div class="pair-line">
              <label for={id} class="vh">
                {texts.quality}
              </label>
              <input
                id={id}
                class="grow"
                type="range"
                min={MIN_QUALITY}
                max={MAX_QUALITY}
                value={quality}
                onInput={({ currentTarget }) =>
                  onDraft({ ...draft, quality: Number(currentTarget.value) })
                }
              />
              <output for={id} class="num">
                {quality}
              </output>
            </div>
          )}
        </>
      )}
    </>
  );
}

function Sizes({ draft, natural, bytes, encodedBytes }: ToolsProps) {
  const { picture: texts } = t();
  const { width, height } = resultSize(natural, draft);
  const line = (name: string, size: ComponentChildren, file: string) => (
    <div class="contents">
      <dt>{name}</dt>
      <dd class="num">
        {size}
        <br />
        <span class="soft">{file}</span>
      </dd>
    </div>
  );
  return (
    <>
      <h3>{texts.sizes}</h3>
      <dl class="facts" aria-live="polite">
        {line(texts.before, texts.pixels(natural.width, natural.height), formatSize(bytes))}
        {!isEmpty(draft) &&
          line(
            texts.after,
            texts.pixels(width, height),
            encodedBytes === undefined ? texts.sizeLater : texts.about(formatSize(encodedBytes)),
          )}
      </dl>
    </>
  );
}
