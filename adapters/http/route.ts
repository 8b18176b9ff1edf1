import type { Caller } from '../../core/shared/caller.ts';
import type { FoundBot } from '../../core/bots/index.ts';
import type { Core } from '../../core/index.ts';
import type { AnswerAudience, AnswerNews } from '../../core/conversations/index.ts';
import type { ReadableContent, ReceivedFile } from '../../core/objects/index.ts';
import type { Pass } from '../../core/office/index.ts';
import type { UploadHost, Visitor } from '../../core/shares/index.ts';
import type { PendingReceipt } from '../../core/shared/caller.ts';
import type { StreamedFile } from '../../core/shared/streamed-file.ts';
import type { ServerEvent } from './response/event-stream.ts';
import type { ErrorReply } from './pipeline/errors.ts';
import type { Page, PageReply } from './pages/document.ts';
import type { BaseUrl } from './pages/base-url.ts';
import type { Schema } from './schema.ts';
import type { TextFile } from './request/text-file.ts';
import type { CrossFieldRules } from './validation/json/json-validator.ts';

export type Access = 'owner' | 'public' | 'visitor' | 'platform' | 'engine';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Whom a visitor leaves files with. */
export type UploadTarget = UploadHost & { readonly receipt?: PendingReceipt };

/** The document server, let in by the pass that its address holds. */
export interface DocumentServer {
  readonly pass: Pass;
  /** The bearer token it sent, which is none of ours. */
  readonly bearer?: string;
}

/** A request that has passed every check and is typed by its schemas. */
export interface RouteRequest<P, Q, B> {
  /** Of an owner's operation. */
  readonly caller: Caller;
  /** Of a visitor's operation. */
  readonly visitor: Visitor;
  /** Of a platform's operation: for which bot it comes. */
  readonly bot: FoundBot;
  /** Of a visitor's operation that names one. */
  readonly host: UploadTarget;
  /** Of an operation of the document server. */
  readonly engine: DocumentServer;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Files of a multipart body, stored and without an owner yet. */
  readonly files: readonly ReceivedFile[];
  /** A JSON body as it was sent, where it is `verbatim`. */
  readonly source: string;
  /** Files of a multipart body that are read as texts and kept nowhere. */
  readonly texts: readonly TextFile[];
  /** Who waits for the answer. */
  readonly subscriber: AnswerAudience;
  /** The languages that are asked for, as sent; '' for none. */
  readonly languages: string;
}

/** What a multipart body holds beside its text fields. */
export interface FilePart {
  readonly name: 'file';
  readonly many: boolean;
  /** A media type under which the body may be the file itself, without a form around it. */
  readonly rawMediaType?: string;
  /** Taken in as an archive, with its bounds, and not as a document. */
  readonly archive?: true;
  /** Read as a text of at most so many bytes, and not stored. */
  readonly maxTextBytes?: number;
}

interface Described {
  readonly method: Method;
  /** Express form: `/v1/objects/:object_id`. */
  readonly path: string;
  readonly tag: string;
  /** The operation's id in the document. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * `public` asks for nothing; `visitor` is somebody without an account, counted by address; `platform` is a service
   * that a bot's owner has told to come here, known by a secret of the bot. `engine` is the document server, which comes
   * with a pass in the `pass` of its address, and is counted for whoever gave it that.
   */
  readonly access: Access;
  /** Of an `engine`: which passes open it. */
  readonly capabilityKind?: 'file' | 'callback';
  /** Stands beside what every error of it says. */
  readonly errorBodyFields?: Readonly<Record<string, unknown>>;
  /** Codes of the catalogue it can end with beside the common ones (401, 422, 429, 500, 503). */
  readonly errors?: readonly string[];
  /** Whether it reads the unlock token of the hidden zone. */
  readonly readsUnlockToken?: true;
  /** Whether it reads what unlocks a share. */
  readonly readsShareAccess?: true;
  /** Its path is one that a later, wider path fits as well: other methods are looked for there. */
  readonly fallsThrough?: true;
  /**
   * Accepts an Idempotency-Key. A repeat with another body is a conflict, which reveals whether a guess of the body is right.
   * So no operation with a PIN accepts one. For a body with another secret, `guessable` gives the reason why this is safe.
   */
  readonly acceptsIdempotencyKey?: true;
  readonly guessable?: string;
  /** Of a visitor's operation: counted with the small pictures that a page brings along. */
  readonly isThumbnail?: true;
  /** Of a visitor's operation: how a failure is told to whoever would rather have a page than JSON. */
  errorPage?(failure: ErrorReply, params: Readonly<Record<string, string>>, site: BaseUrl): Page;
  /** Tells that the process is alive: answered however much there is to do. */
  readonly probe?: true;
  /** It may take longer than a connection may be silent, and has a deadline of its own. */
  readonly longRunning?: true;
}

export interface JsonBody<B> {
  readonly json: Schema<B>;
  /** Instead of 1 MiB. */
  readonly maxBytes?: number;
  /** The operation reads the text itself as well. */
  readonly verbatim?: true;
  /** Fields that are refused with an error of their own when they are nested too deeply. */
  readonly tooDeep?: Readonly<Record<string, () => Error>>;
  /** Rules that hold between fields, told with the faults that the schema finds. */
  readonly crossFieldRules?: CrossFieldRules;
}

interface Asked<P, Q, B> {
  readonly params?: Schema<P>;
  readonly query?: Schema<Q>;
  readonly body?: JsonBody<B> | { readonly multipart: Schema<B>; readonly files: FilePart };
}

/** An operation that answers with JSON. `present` is pure, so that a kept answer can be made inside the transaction. */
export interface JsonRoute<P, Q, B, Result, Reply> extends Described, Asked<P, Q, B> {
  readonly reply: { readonly json: Schema<Reply> };
  /**
   * Tells the states of the answer apart without making it, for those that are asked for again and again. It may be
   * older than the answer that goes out with it, and never newer. Address, query and owner need not be in it.
   */
  etag?(core: Core, request: RouteRequest<P, Q, B>): Promise<string>;
  run(core: Core, request: RouteRequest<P, Q, B>): Promise<Result>;
  present(result: Result): Reply;
  /** Ids of objects that the reply refers to besides the marked nodes of its schema: see `references.ts`. */
  alsoNames?(result: Result): readonly string[];
  /**
   * Of a visitor's operation that takes files: whose they will be. It may refuse, and does so before any of the body is
   * read: a visitor without an account gets no validation errors first. `mayRepeat`: the request has an idempotency key.
   */
  host?(
    core: Core,
    visitor: Visitor,
    params: Readonly<Record<string, string>>,
    mayRepeat: boolean,
  ): Promise<UploadTarget>;
  /**
   * The same answer for a person, where a browser asks for a page. A form that it sends is read as the JSON of its
   * fields.
   */
  page?(
    core: Core,
    reply: Reply,
    request: RouteRequest<P, Q, B>,
    site: BaseUrl,
  ): Promise<PageReply>;
  /** Another status than 200, told from the reply. */
  status?(reply: Reply): number;
  readonly events?: Events<Reply, RouteRequest<P, Q, B>>;
}

/** The same answer as server-sent events while it is made, for whoever accepts them. Its last event is `done`. */
interface Events<Reply, Request> {
  of(news: AnswerNews): ServerEvent;
  /** All but the last of an answer that was kept for a repeat. */
  replay(reply: Reply, request: Request): Iterable<ServerEvent>;
  /** The last event, if it is not `done` with the answer. */
  last?(reply: Reply): ServerEvent | undefined;
  /** There is no other form of it, and it may be silent for long. */
  readonly always?: true;
}

export interface ContentOptions {
  readonly disposition: 'inline' | 'attachment';
}

/** An operation that answers with the bytes of a file. */
export interface BytesRoute<P, Q> extends Described, Asked<P, Q, undefined> {
  readonly reply: { readonly bytes: string };
  run(
    core: Core,
    request: RouteRequest<P, Q, undefined>,
  ): Promise<{ readonly content: ReadableContent; readonly options: ContentOptions }>;
}

/** An operation that answers with a file that is made while it is sent. */
export interface StreamRoute<P, Q> extends Described, Asked<P, Q, undefined> {
  /** The media type; `tagged` when what it is made of has a version. */
  readonly reply: { readonly stream: string; readonly tagged?: true };
  run(core: Core, request: RouteRequest<P, Q, undefined>): Promise<StreamedFile>;
}

export type Route =
  | JsonRoute<unknown, unknown, unknown, unknown, unknown>
  | BytesRoute<unknown, unknown>
  | StreamRoute<unknown, unknown>;

export type AnyJsonRoute = JsonRoute<unknown, unknown, unknown, unknown, unknown>;
export type AnyFileRoute = Exclude<Route, AnyJsonRoute>;
export type AnyRequest = RouteRequest<unknown, unknown, unknown>;

/** Keeps the types of the parts together while checking them, then forgets them so that routes fit one table. */
export const route = <P, Q, B, Result, Reply>(
  described: JsonRoute<P, Q, B, Result, Reply>,
): Route => described;

export const bytesRoute = <P, Q>(described: BytesRoute<P, Q>): Route => described;

export const streamRoute = <P, Q>(described: StreamRoute<P, Q>): Route => described;
