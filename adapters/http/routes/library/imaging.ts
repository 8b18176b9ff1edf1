import { hasEnded } from '../../../../core/imaging/index.ts';
import {
  ANGLES,
  FLIP_MODES,
  IMAGE_OPS,
  type ImageOperation,
} from '../../../../ports/image-editor.ts';
import { PICTURE_CODES, pictureReason } from '../../../../ports/reasons.ts';
import { IMAGE_OPERATION_STATES } from '../../../../ports/image-operations.ts';
import { route } from '../../route.ts';
import {
  closed,
  flag,
  int,
  list,
  named,
  nullable,
  number,
  object,
  objectId,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '../../schema.ts';
import { either } from '../../validation/pydantic-errors.ts';
import type { CrossFieldError } from '../../validation/json/json-validator.ts';

const tag = 'Pictures';

const fields = object({
  quality: optional(int({ minimum: 10, maximum: 100 })),
  max_side: optional(
    int({ minimum: 16, maximum: 10_000, description: 'Of the longest side, in pixels.' }),
  ),
  angle: optional(int({ description: '90, 180 or 270, clockwise.' })),
  mode: withDefault(
    text({ maxLength: 1, description: '`h` mirrors left and right, `v` top and bottom.' }),
    '',
  ),
  box: optional(
    list(number({ minimum: 0, maximum: 1 }), {
      minItems: 4,
      maxItems: 4,
      description: 'Left, top, right and bottom as fractions of the upright image.',
    }),
  ),
});

type Fields = Readonly<Record<string, unknown>>;

/** The arguments of an operation from the fields; undefined if one is missing or invalid. */
type Reader = (body: Fields) => ImageOperation | undefined;

const whole = (value: unknown): value is number => typeof value === 'number';

const READERS: Readonly<Record<ImageOperation['op'], Reader>> = {
  compress: ({ quality }) => (whole(quality) ? { op: 'compress', quality } : undefined),
  resize: ({ max_side: maxSide, quality }) =>
    whole(maxSide)
      ? { op: 'resize', maxSide, quality: whole(quality) ? quality : null }
      : undefined,
  rotate: ({ angle: sent }) => {
    const angle = ANGLES.find((each) => each === sent);
    return angle && { op: 'rotate', angle };
  },
  flip: ({ mode: sent }) => {
    const mode = FLIP_MODES.find((each) => each === sent);
    return mode && { op: 'flip', mode };
  },
  crop: ({ box }) => {
    if (!Array.isArray(box) || box.length !== 4 || !box.every(whole)) return undefined;
    const [left = 0, top = 0, right = 0, bottom = 0] = box;
    return left < right && top < bottom
      ? { op: 'crop', box: [left, top, right, bottom] }
      : undefined;
  },
};

const numbers = ANGLES.join(', ').replace(/, (\d+)$/, ' or $1');
const modes = either(FLIP_MODES);

/** The error for a field that the operation needs and that has an unsuitable value. */
const NEEDED: Readonly<Record<ImageOperation['op'], CrossFieldError>> = {
  compress: { field: 'quality', type: 'int_type', msg: 'Input should be a valid integer' },
  resize: { field: 'max_side', type: 'int_type', msg: 'Input should be a valid integer' },
  rotate: {
    field: 'angle',
    type: 'literal_error',
    msg: `Input should be ${numbers}`,
    ctx: { expected: numbers },
  },
  flip: {
    field: 'mode',
    type: 'literal_error',
    msg: `Input should be ${modes}`,
    ctx: { expected: modes },
  },
  crop: {
    field: 'box',
    type: 'value_error',
    msg: 'Value error, left must be less than right and top less than bottom',
    ctx: { error: {} },
  },
};

const opOf = (params: Fields) => IMAGE_OPS.find((each) => each === params['op']);

function misfits(params: Fields, body: Fields): readonly CrossFieldError[] {
  const op = opOf(params);
  if (!op || READERS[op](body)) return [];
  // For a box with numbers out of bounds, only those are reported.
  const { box } = body;
  const isOut = (side: unknown) => !whole(side) || side < 0 || side > 1;
  return op === 'crop' && Array.isArray(box) && (box.length !== 4 || box.some(isOut))
    ? []
    : [NEEDED[op]];
}

function operationOf(op: ImageOperation['op'], body: Fields): ImageOperation {
  const operation = READERS[op](body);
  if (!operation) throw new Error(`A body was let through that makes no ${op}.`);
  return operation;
}

export const imagingRoutes = [
  route({
    method: 'post',
    path: '/v1/objects/:object_id/image/:op',
    tag,
    name: 'editImage',
    summary: 'Compress, resize, rotate, flip or crop an image in the background',
    description:
      'The result is a new version in the same format: upright, with its colour profile, without location and other metadata. Operations on one object run one after another, each on the current content. Required fields: `quality` to compress (jpg and webp only), `max_side` to resize (`quality` is optional), `angle` to rotate, `mode` to flip, `box` to crop. Other formats, damaged images and those over 100 megapixels are 415.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    acceptsIdempotencyKey: true,
    errors: ['not_found', 'in_trash', 'unsupported_type', 'plan_limit', 'too_many_operations'],
    params: object({ object_id: objectId(), op: oneOf(...IMAGE_OPS) }),
    body: { json: named('ImageOperation', fields), crossFieldRules: misfits },
    reply: {
      json: named(
        'ImageAccepted',
        closed({ op: text(), status: oneOf(...IMAGE_OPERATION_STATES), task_id: text() }),
      ),
    },
    run: (core, { caller, params, body }) =>
      core.imaging.requestImageOperation(caller, params.object_id, operationOf(params.op, body)),
    present: ({ id, operation, state }) => ({ op: operation.op, status: state, task_id: id }),
  }),
  route({
    method: 'get',
    path: '/v1/objects/:object_id/image/status/:task_id',
    tag,
    name: 'imageStatus',
    summary: 'Progress and result of an image operation',
    description:
      '`version` is the version of the object when the operation ended. `error` is the reason of a failure, or why the image is unchanged.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: object({ object_id: uuid(), task_id: text() }),
    reply: {
      json: named(
        'ImageStatus',
        closed({
          task_id: text(),
          op: oneOf(...IMAGE_OPS),
          status: oneOf(...IMAGE_OPERATION_STATES),
          done: flag({ description: 'Whether it has ended, successfully or not.' }),
          error: nullable(text()),
          error_code: nullable(oneOf(...PICTURE_CODES)),
          version: nullable(int()),
        }),
      ),
    },
    run: (core, { caller, params }) =>
      core.imaging.imageOperationStatus(caller, params.object_id, params.task_id),
    present: (pending) => ({
      task_id: pending.id,
      op: pending.operation.op,
      status: pending.state,
      done: hasEnded(pending),
      error: pending.error,
      error_code: pending.error === null ? null : pictureReason(pending.error).code,
      version: pending.version,
    }),
  }),
];
