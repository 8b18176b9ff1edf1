import type { Caller, Client } from '../../core/shared/caller.ts';
import type { FoundBot } from '../../core/bots/index.ts';
import type { RequiredScope } from '../../core/identity/index.ts';
import type { Core } from '../../core/index.ts';
import type { AnswerSubscriber, AnswerEvent } from '../../core/conversations/index.ts';
import type { ReadableContent, ReceivedFile } from '../../core/objects/index.ts';
import type { UrlCapability } from '../../core/office/index.ts';
import type { UploadDestination, Visitor } from '../../core/shares/index.ts';
import type { PendingIdempotencyRecord } from '../../core/shared/caller.ts';
import type { StreamedFile } from '../../core/shared/streamed-file.ts';
import type { StreamSubscriber } from '../../core/shared/stream-subscriber.ts';
import type { ServerEvent } from './response/event-stream.ts';
import type { ErrorReply } from './pipeline/errors.ts';
import type { Page, PageReply } from './pages/document.ts';
import type { BaseUrl } from './pages/base-url.ts';
import type { Schema } from './schema.ts';
import type { CookieChange } from './request/cookie-changes.ts';
import type { TextFile } from './request/text-file.ts';
import type { CrossFieldRules } from './validation/json/json-validator.ts';

export type Access = 'owner' | 'sign-in' | 'public' | 'visitor' | 'platform' | 'engine';

export type Method = 'get' | 'head' | 'options' | 'post' | 'put' | 'patch' | 'delete';

/** The owner that a visitor's files go to. */
export type UploadTarget = UploadDestination & { readonly receipt?: PendingIdempotencyRecord };

/** The document server, authenticated by the capability in its URL. */
export interface DocumentServer {
  readonly pass: UrlCapability;
  /** The bearer token that it sent. It is signed by the document server and not one of the service's. */
  readonly bearer?: string;
}

/** A request that has passed validation, typed by the schemas of its route. */
export interface RouteRequest<P, Q, B> {
  /** Of an owner's operation. */
  readonly caller: Caller;
  /** Of a visitor's operation. */
  readonly visitor: Visitor;
  /** Of a platform's operation: the bot that the request is for. */
  readonly bot: FoundBot;
  /** Of a visitor's operation that uploads files. */
  readonly host: UploadTarget;
  /** Of an operation of the document server. */
  readonly engine: DocumentServer;
  /** Of a sign-in: where the request comes from. */
  readonly client: Client;
  /** Of a sign-in: the caller whose session cookie came with the request, if there is a valid one. */
  readonly current: Caller | undefined;
  /** Of a sign-in: the secret that the browser got when it was sent to the identity provider. */
  readonly flowSecret: string | undefined;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Files of a multipart body, stored and without an owner yet. */
  readonly files: readonly ReceivedFile[];
  /** A JSON body as it was sent, where it is `verbatim`. */
  readonly source: string;
  /** Files of a multipart body that are read as texts and not stored. */
  readonly texts: readonly TextFile[];
  /** Receives the progress of an answer. */
  readonly subscriber: AnswerSubscriber;
  /** `Accept-Language` as sent; '' without it. */
  readonly languages: string;
}

/** The files of a multipart body. */
export interface FilePart {
  readonly name: 'file';
  readonly many: boolean;
  /** A media type under which the body may be the file itself, without a form around it. */
  readonly rawMediaType?: string;
  /** Accepted as an archive, with its own limits, and not as a document. */
  readonly archive?: true;
  /** Read as a text of at most so many bytes, and not stored. */
  readonly maxTextBytes?: number;
}

/**
 * The credentials that are required.
 *
 * - `public`: none.
 * - `owner`: a bearer token with the scopes, or a session.
 * - `sign-in`: none; requests are counted by address, and those of other sites are rejected. A session cookie is read.
 * - `visitor`: none; requests are counted by address.
 * - `platform`: the secret of a bot, sent by the platform that the bot's owner has registered it with.
 * - `engine`: the capability in the path parameter `pass`, sent by the document server. Requests are counted for the owner
 *   of the capability.
 */
type AccessRules =
  | {
      readonly access: 'owner';
      readonly scope: RequiredScope;
      /** It stores a conversation: forbidden for tokens that leave no history. */
      readonly storesHistory?: true;
      /** A session must have signed in within the last 15 minutes. */
      readonly needsRecentSignIn?: true;
    }
  | {
      readonly access: 'sign-in';
      readonly scope?: never;
      readonly storesHistory?: never;
      readonly needsRecentSignIn?: never;
      /** A repeat would have to set the cookie again: its secret would have to be stored. */
      readonly acceptsIdempotencyKey?: never;
    }
  | {
      readonly access: Exclude<Access, 'owner' | 'sign-in'>;
      readonly scope?: never;
      readonly storesHistory?: never;
      readonly needsRecentSignIn?: never;
    };

interface Described {
  readonly method: Method;
  /** The path template: `/v1/objects/:object_id`. */
  readonly path: string;
  readonly tag: string;
  /** The operation's id in the document. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /** Of an `engine`: the kind of capability that is required. */
  readonly capabilityKind?: 'file' | 'callback';
  /** Added to the body of every error of the operation. */
  readonly errorBodyFields?: Readonly<Record<string, unknown>>;
  /** Codes of the catalogue it can end with beside the common ones (401, 422, 429, 500, 503). */
  readonly errors?: readonly string[];
  /** Whether it reads the unlock token of the hidden zone. */
  readonly readsUnlockToken?: true;
  /** Whether it reads the access token of an unlocked share. */
  readonly readsShareAccess?: true;
  /** A later, wider path matches its path as well, and has the other methods. */
  readonly fallsThrough?: true;
  /**
   * Accepts an Idempotency-Key. A repeat with another body is a conflict, which reveals whether a guess of the body is right.
   * So no operation with a PIN accepts one. For a body with another secret, `guessable` gives the reason why this is safe.
   */
  readonly acceptsIdempotencyKey?: true;
  readonly guessable?: string;
  /** It creates a conversation and nothing else. A caller that leaves no history creates nothing: its key is ignored. */
  readonly createsHistoryOnly?: true;
  /** Of a visitor's operation: counted with the thumbnails that a page loads. */
  readonly isThumbnail?: true;
  /** Of a visitor's operation: an error as a page, for clients that prefer one to JSON. */
  errorPage?(error: ErrorReply, params: Readonly<Record<string, string>>, site: BaseUrl): Page;
  /** A health check: not subject to admission control. */
  readonly probe?: true;
  /** It may take longer than a connection may be idle, and has its own deadline. */
  readonly longRunning?: true;
}

export interface JsonBody<B> {
  readonly json: Schema<B>;
  /** Instead of 1 MiB. */
  readonly maxBytes?: number;
  /** The operation gets the text as well: see `source`. */
  readonly verbatim?: true;
  /** Fields with an error of their own for values that are nested too deeply. */
  readonly tooDeep?: Readonly<Record<string, () => Error>>;
  /** Rules between fields; their errors are sent together with those of the schema. */
  readonly crossFieldRules?: CrossFieldRules;
}

interface Asked<P, Q, B> {
  readonly params?: Schema<P>;
  readonly query?: Schema<Q>;
  readonly body?: JsonBody<B> | { readonly multipart: Schema<B>; readonly files: FilePart };
}

/** An operation that replies with JSON. `present` is pure, so that a stored reply can be made inside the transaction. */
export type JsonRoute<P, Q, B, Result, Reply> = JsonParts<P, Q, B, Result, Reply> & AccessRules;

interface JsonParts<P, Q, B, Result, Reply> extends Described, Asked<P, Q, B> {
  readonly reply: { readonly json: Schema<Reply> };
  /**
   * Distinguishes the states of the reply without making it, for replies that are polled. It may be older than the reply
   * that is sent with it, and never newer. URL and owner need not be in it.
   */
  etag?(core: Core, request: RouteRequest<P, Q, B>): Promise<string>;
  run(core: Core, request: RouteRequest<P, Q, B>): Promise<Result>;
  /** Whether the key of this request is used, for an operation that creates something with some bodies only. */
  usesKey?(body: B): boolean;
  present(result: Result): Reply;
  /** How a result changes the session cookie of the browser. For operations without an idempotency key. */
  setsCookie?(result: Result): CookieChange | undefined;
  /** The same for the cookie of a sign-in at the identity provider. */
  setsFlowCookie?(result: Result): CookieChange | undefined;
  /** Ids of objects in the reply beyond the marked nodes of its schema: see `validation/object-references.ts`. */
  alsoNames?(result: Result): readonly string[];
  /**
   * Of a visitor's operation that accepts files: their future owner. It may reject the request, before any of the body is
   * read: a visitor without an account gets no validation errors first. `mayRepeat`: the request has an idempotency key.
   */
  host?(
    core: Core,
    visitor: Visitor,
    params: Readonly<Record<string, string>>,
    mayRepeat: boolean,
  ): Promise<UploadTarget>;
  /** The same reply as a page, for browsers. A form that they send is read as the JSON of its fields. */
  page?(
    core: Core,
    reply: Reply,
    request: RouteRequest<P, Q, B>,
    site: BaseUrl,
  ): Promise<PageReply>;
  /** The status, if it is not 200. */
  status?(reply: Reply): number;
  readonly events?: Events<Reply, RouteRequest<P, Q, B>>;
}

/** The same reply as server-sent events while it is made, for clients that accept them. Its last event is `done`. */
interface Events<Reply, Request> {
  of(news: AnswerEvent): ServerEvent;
  /** All but the last event of a stored reply, for a repeated request. */
  replay(reply: Reply, request: Request): Iterable<ServerEvent>;
  /** The last event, if it is not `done` with the reply. */
  last?(reply: Reply): ServerEvent | undefined;
  /** It has no other format, and may be silent for long. */
  readonly always?: true;
}

export interface ContentOptions {
  readonly disposition: 'inline' | 'attachment';
}

/** An operation that replies with the bytes of a file. */
export type BytesRoute<P, Q> = BytesParts<P, Q> & AccessRules;

interface BytesParts<P, Q> extends Described, Asked<P, Q, undefined> {
  readonly reply: { readonly bytes: string };
  run(
    core: Core,
    request: RouteRequest<P, Q, undefined>,
  ): Promise<{ readonly content: ReadableContent; readonly options: ContentOptions }>;
}

/** An operation that replies with a file that is generated while it is sent. */
export type StreamRoute<P, Q> = StreamParts<P, Q> & AccessRules;

interface StreamParts<P, Q> extends Described, Asked<P, Q, undefined> {
  /** The media type; `tagged` if the source of the file has a version. */
  readonly reply: { readonly stream: string; readonly tagged?: true };
  run(core: Core, request: RouteRequest<P, Q, undefined>): Promise<StreamedFile>;
}

/** Where a browser continues, and how its cookies change. */
export interface Redirection {
  readonly location: string;
  readonly session?: CookieChange;
  readonly flow?: CookieChange;
}

/** An operation for browsers that are navigated to it: it sends them to another address (303). */
export type RedirectRoute<P, Q> = RedirectParts<P, Q> & AccessRules;

interface RedirectParts<P, Q> extends Described, Asked<P, Q, undefined> {
  /** Where to, in words. */
  readonly reply: { readonly seeOther: string };
  run(core: Core, request: RouteRequest<P, Q, undefined>): Promise<Redirection>;
}

/** An operation of the tus protocol, which determines its headers, statuses and errors of form: see `tus/respond.ts`. */
export type TusRoute<P> = TusParts<P> & AccessRules;

interface TusParts<P> extends Described {
  readonly params?: Schema<P>;
  readonly query?: never;
  readonly body?: never;
  /** For the document: the protocol validates them. */
  readonly headers?: Schema<unknown>;
  /** The body, which is stored as it arrives. */
  readonly sends?: { readonly mediaType: string; readonly required: boolean };
  /** The status of a success, and the headers that describe it. */
  readonly reply: {
    readonly tus: { readonly status: number; readonly headers: readonly string[] };
  };
}

export type AnyTusRoute = TusRoute<{ readonly upload_id: string }>;
/** An operation that sends events until the client disconnects or the operation ends. */
export type EventsRoute<P, Q> = EventsParts<P, Q> & AccessRules;

interface EventsParts<P, Q> extends Described, Asked<P, Q, undefined> {
  /** The events, in words. */
  readonly reply: { readonly events: string };
  /** `lastEventId` as sent. An error before the first event is an ordinary error response. */
  run(
    core: Core,
    request: RouteRequest<P, Q, undefined>,
    lastEventId: string | undefined,
    subscriber: StreamSubscriber<ServerEvent>,
  ): Promise<void>;
}

export type AnyJsonRoute = JsonRoute<unknown, unknown, unknown, unknown, unknown>;
export type AnyFileRoute = BytesRoute<unknown, unknown> | StreamRoute<unknown, unknown>;
export type AnyRedirectRoute = RedirectRoute<unknown, unknown>;
export type AnyEventsRoute = EventsRoute<unknown, unknown>;
export type Route = AnyJsonRoute | AnyFileRoute | AnyRedirectRoute | AnyTusRoute | AnyEventsRoute;
export type AnyRequest = RouteRequest<unknown, unknown, unknown>;

/** Checks that the types of the parts agree, then erases them, so that all routes fit one table. */
export const route = <P, Q, B, Result, Reply>(
  described: JsonRoute<P, Q, B, Result, Reply>,
): Route => described;

export const bytesRoute = <P, Q>(described: BytesRoute<P, Q>): Route => described;

export const streamRoute = <P, Q>(described: StreamRoute<P, Q>): Route => described;

export const tusRoute = (described: AnyTusRoute): Route => described;

export const redirectRoute = <P, Q>(described: RedirectRoute<P, Q>): Route => described;

export const eventsRoute = <P, Q>(described: EventsRoute<P, Q>): Route => described;
