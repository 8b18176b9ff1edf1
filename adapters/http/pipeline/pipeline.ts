import type { Request, Response } from 'express';
import type { Core } from '../../../core/index.ts';
import type { ReceivedFile } from '../../../core/objects/index.ts';
import { forbidden } from '../../../core/shared/common-errors.ts';
import { InvalidInput } from '../../../core/shared/errors.ts';
import { askingOf, takesPage, type Exchange } from './negotiate.ts';
import { formAsJson, hasBody, readBody, bodyAsFile } from '../request/body-reader.ts';
import { sendContent, sendStream } from '../response/file.ts';
import { etagFor } from './conditional.ts';
import { CLIENT_CLOSED_REQUEST, HttpError, unprocessable } from './errors.ts';
import { headerOf } from '../request/headers.ts';
import {
  fingerprintOf,
  keyOf,
  createIdempotentRunner,
  requireUnguessable,
  type Actor,
} from './idempotency.ts';
import { invalidInput } from './validate.ts';
import { letLast, liveFor, type Live } from './streaming.ts';
import {
  MAX_FILES,
  MultipartRejectedError,
  readMultipart,
  type MultipartBody,
  type IncomingFile,
} from '../request/multipart.ts';
import { sendPage } from '../pages/document.ts';
import type { BaseUrl } from '../pages/base-url.ts';
import { createPresenter } from './present.ts';
import type {
  BytesRoute,
  FilePart,
  JsonRoute,
  Route,
  RouteRequest,
  StreamRoute,
} from '../route.ts';
import { sendJson } from '../response/json.ts';
import { readTextFile, type TextFile } from '../request/text-file.ts';
import { compileRequest, type RawRequest } from '../validation/compile-request.ts';
import { textOfBody } from '../validation/json/json-body.ts';
import { Workload } from '../server/admission.ts';

type AnyJson = JsonRoute<unknown, unknown, unknown, unknown, unknown>;
type NotJson = Exclude<Route, AnyJson>;
type Asked = RouteRequest<unknown, unknown, unknown>;

/** Settles when the answer is made and there is nothing left to do but to send it. */
export type Operation = (request: Request, response: Response) => Promise<void>;

const NOT_LIVE = {};
const MOST_BODY_BYTES = 2 ** 20;

/**
 * One operation as express runs it, in the order of checks the interface promises: 401, 429, 413, 422, then whatever
 * the operation itself refuses. With `checkReplies` an answer that breaks its own schema is a defect.
 */
export function handlerFor(
  route: Route,
  core: Core,
  site: BaseUrl,
  checkReplies: boolean,
): Operation {
  const validate = compileRequest(route);
  const tag = etagFor(route, core);
  const present = createPresenter(route as AnyJson, checkReplies && 'json' in route.reply);
  requireUnguessable(route);
  const once =
    'json' in route.reply ? createIdempotentRunner(route as AnyJson, core, present) : undefined;

  return async (request, response) => {
    const exchange = { request, response };
    response.locals['inErrors'] = route.errorBodyFields;
    if (route.access === 'public') {
      const asked = {} as Asked;
      const reply = present(await route.run(core, asked as never));
      return answer(route as AnyJson, exchange, reply, NOT_LIVE);
    }
    const asPage = takesPage(route, site, exchange);
    const asking = await askingOf(route, core, site, exchange, asPage);
    const { who, mayChange } = asking;
    const back = route.body ? Workload.aside(response) : undefined;
    const sent = await bodyOf(route, core, who, request, mayChange, asPage, back).finally(back);
    let taken = false;
    try {
      const checked = validate({
        params: request.params,
        url: request.url,
        header: (name) => headerOf(request, name),
        ...sent.raw,
      });
      if (!checked.ok) throw unprocessable(checked.detail);
      if (!mayChange) throw forbidden();
      if (response.destroyed) throw new HttpError(CLIENT_CLOSED_REQUEST);
      if (route.longRunning) letLast(request, response);
      const live = liveFor('events' in route ? route.events : undefined, request, response);
      const { files, texts } = sent;
      const languages = headerOf(request, 'accept-language') ?? '';
      const asked = {
        ...checked.values,
        ...asking.as(who),
        files,
        texts,
        source: sourceOf(route, sent),
        ...live,
        languages,
      } as Asked;
      if (!('present' in route)) {
        return await answerBytes(route, core, exchange, asked);
      }
      if (tag) {
        // Before the answer is made: one that changes in between is asked for once more, and never taken for another.
        response.setHeader('ETag', await tag(request.originalUrl, asked));
        if (request.fresh) return void response.status(304).end();
      }
      const tell = async (reply: unknown): Promise<void> => {
        const page = asPage && (await route.page?.(core, reply, asked, site));
        if (page) sendPage(request, response, page, site);
        else await answer(route, exchange, reply, live);
      };
      const run = (acting: Actor | undefined) => {
        // From here on the operation answers for the files, whichever way it ends.
        taken = true;
        return route.run(core, { ...asked, ...asking.as(acting) });
      };
      const key = route.acceptsIdempotencyKey && who ? keyOf(request, route.access) : undefined;
      if (key === undefined || !who || !once) return await tell(present(await run(who)));
      const fingerprint = fingerprintOf(request, sent.bytes, sent.multipart);
      const { params } = asked;
      const done = await once({ caller: who, params, key, fingerprint, run });
      if (!done.repeated) return await tell(done.reply);
      response.setHeader('Idempotent-Replayed', 'true');
      if (live.stream)
        for (const each of route.events?.replay(done.reply, asked) ?? [])
          await live.stream.send(each);
      return await tell(done.reply);
    } catch (error) {
      throw error instanceof InvalidInput ? invalidInput(error, request, sent.bytes) : error;
    } finally {
      // Refused after they were stored, or sent once more: nobody owns these files.
      if (!taken) await core.objects.discardFiles(sent.files);
    }
  };
}

interface SentBody {
  readonly raw: Pick<RawRequest, 'body'>;
  readonly files: readonly ReceivedFile[];
  readonly texts: readonly TextFile[];
  /** The body as it was sent, for the fingerprint. */
  readonly bytes?: Buffer;
  readonly multipart?: MultipartBody<ReceivedFile | TextFile>;
}

const sourceOf = ({ body }: Route, { bytes }: SentBody): string =>
  body && 'json' in body && body.verbatim && bytes ? textOfBody(bytes) : '';

const NO_FIELDS: ReadonlyMap<string, string> = new Map();
const NOTHING: SentBody = { raw: {}, files: [], texts: [] };
const isStored = (file: ReceivedFile | TextFile): file is ReceivedFile => 'blob' in file;

/**
 * Reads what the operation takes. Files go to storage as they arrive; whoever fails later gives them up. `back` is
 * called as soon as the sender of files is not waited for any more.
 */
async function bodyOf(
  route: Route,
  core: Core,
  who: Actor | undefined,
  request: Request,
  mayChange: boolean,
  asPage: boolean,
  back: (() => void) | undefined,
): Promise<SentBody> {
  const { body } = route;
  if (!body) return NOTHING;
  const contentType = request.headers['content-type'] ?? '';
  if ('json' in body) {
    const most = body.maxBytes ?? MOST_BODY_BYTES;
    const bytes = hasBody(request) ? await readBody(request, most) : Buffer.alloc(0);
    const form = asPage ? formAsJson(bytes, contentType) : undefined;
    return {
      ...NOTHING,
      raw: { body: form ?? { bytes, contentType } },
      bytes: form?.bytes ?? bytes,
    };
  }
  const form = /^multipart\/form-data/i.test(contentType);
  const whole = isWhole(contentType, body.files);
  if (!form && !whole) return { ...NOTHING, raw: { body: { fields: NO_FIELDS, fileCount: 0 } } };
  const mostFiles = body.files.many ? MAX_FILES : 1;
  const { archive, maxTextBytes: textUpTo } = body.files;
  if (!who) throw new Error(`Nobody takes the files of ${route.method} ${route.path}.`);
  const receive =
    'maxFiles' in who
      ? core.shares.receivingShared(who)
      : (file: IncomingFile) => core.objects.receiveFile(who, file);
  const take = (file: IncomingFile): Promise<ReceivedFile | TextFile> =>
    textUpTo !== undefined
      ? readTextFile(file, textUpTo)
      : archive
        ? core.transfer.receiveArchive(file)
        : receive(file);
  // Taking it in may last, and nothing goes over the connection meanwhile; the client decides how long it waits.
  if (archive || textUpTo !== undefined) request.once('end', () => request.socket.setTimeout(0));
  else if (back) request.once('end', back);
  try {
    if (!mayChange) {
      // Read to its end and kept nowhere, so that this request as well is told first of what is wrong with it.
      const passOver = core.objects.passOverFile;
      const passed = whole
        ? { fields: NO_FIELDS, files: [await passOver(bodyAsFile(request))] }
        : await readMultipart(request, mostFiles, passOver);
      return {
        ...NOTHING,
        raw: { body: { fields: passed.fields, fileCount: passed.files.length } },
      };
    }
    const multipart = whole
      ? { fields: NO_FIELDS, files: [await take(bodyAsFile(request))] }
      : await readMultipart(request, mostFiles, take);
    const { fields, files } = multipart;
    return {
      raw: { body: { fields, fileCount: files.length } },
      files: files.filter(isStored),
      texts: files.filter((file): file is TextFile => !isStored(file)),
      multipart,
    };
  } catch (error) {
    if (!(error instanceof MultipartRejectedError)) throw error;
    const taken = error.files as readonly (ReceivedFile | TextFile)[];
    if (mayChange) await core.objects.discardFiles(taken.filter(isStored));
    throw error.cause;
  }
}

/** Whether the body is the one file itself (RFC 9110 §8.3.1: parameters and case aside). */
const isWhole = (contentType: string, { rawMediaType: whole }: FilePart): boolean =>
  whole !== undefined && contentType.split(';')[0]?.trim().toLowerCase() === whole;

/** The file of bytes and the file that is made on the way differ in what can be told of them beforehand. */
async function answerBytes(
  route: NotJson,
  core: Core,
  { request, response }: Exchange,
  asked: Asked,
): Promise<void> {
  if ('stream' in route.reply) {
    const file = await (route as StreamRoute<unknown, unknown>).run(core, asked as never);
    return sendStream(request, response, file, route.reply.stream);
  }
  const { content, options } = await (route as BytesRoute<unknown, unknown>).run(
    core,
    asked as never,
  );
  return sendContent(request, response, content, options);
}

/** The answer as JSON, or as the last event of those it was told in. */
async function answer(
  route: AnyJson,
  { request, response }: Exchange,
  reply: unknown,
  { stream }: Pick<Live, 'stream'>,
): Promise<void> {
  if (stream) {
    const last = route.events?.last?.(reply) ?? { event: 'done', data: reply };
    return stream.send(last).then(() => stream.end());
  }
  sendJson(request, response, route.status?.(reply) ?? 200, JSON.stringify(reply));
}
