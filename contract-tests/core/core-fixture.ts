import { createHash } from 'node:crypto';
import { zipArchives } from '../../adapters/archive-zip/archive-format.ts';
import { InProcessChangeFeed } from '../../adapters/inprocess/change-feed.ts';
import { MemoryBlobStore } from '../../adapters/memory/blob-store.ts';
import { MemoryBuckets } from '../../adapters/memory/buckets.ts';
import { PlainTextExtractor } from '../../adapters/memory/extractor.ts';
import { FakeImageEditor } from '../../adapters/memory/image-editor.ts';
import { ScriptedLanguageModel, type Script } from '../../adapters/memory/language-model.ts';
import { FakeMessenger } from '../../adapters/memory/messenger.ts';
import { MemoryPageFetcher, type FakePage } from '../../adapters/memory/page-fetcher.ts';
import { MemoryRateCounter } from '../../adapters/memory/rate-counter.ts';
import { outsideUnitOfWork } from '../../adapters/guards/unit-of-work.ts';
import { toolSchemas } from '../../adapters/http/openapi/agent-tool-schemas.ts';
import { icalendarFormat } from '../../adapters/icalendar/calendar-format.ts';
import { sha256ContentDigest } from '../../adapters/node/content-digest.ts';
import { intlTimeZones } from '../../adapters/node/time-zones.ts';
import { hmacKeyedDigest } from '../../adapters/node/keyed-digest.ts';
import { aesSealer } from '../../adapters/node/sealer.ts';
import { eventLoop } from '../../adapters/node/tick-scheduler.ts';
import { nodeTimer } from '../../adapters/node/timer.ts';
import { bowserClientNames } from '../../adapters/user-agents/client-names.ts';
import { sha256Digest } from '../../adapters/node/system.ts';
import { webAuthnVerifier } from '../../adapters/webauthn/passkey-verifier.ts';
import { createCore, type Core, type CoreDeps } from '../../core/index.ts';
import { BUILT_IN_ROLES } from '../../core/identity/index.ts';
import type { ReceivedFile } from '../../core/objects/index.ts';
import { NO_CLIENT } from '../no-client.ts';
import type { Caller } from '../../core/shared/caller.ts';
import type { ImageEditor } from '../../ports/image-editor.ts';
import type { InstallationReports } from '../../ports/installation.ts';
import type { Nudge } from '../../ports/jobs.ts';
import type { ContentType, Extraction, ExtractionRequest } from '../../ports/text-extraction.ts';
import type { PasswordHasher, Sealer } from '../../ports/secrets.ts';
import type { RenderResult, ThumbnailRequest } from '../../ports/thumbnails.ts';
import type { Backend } from '../backends.ts';

/** The core with a backend, a clock and ids controlled by the spec, and tasks that run on request. */
export interface CoreFixture {
  readonly core: Core;
  readonly caller: Caller;
  /** The owner's token. */
  readonly bearer: string;
  now: number;
  /** Begins a step: the ids created in it depend on its number only. */
  step(number: number): void;
  /** Runs all enqueued tasks, including those they enqueue. */
  runPendingTasks(): Promise<void>;
  /** Removes and returns the enqueued nudges, without running them. */
  takeQueuedNudges(): readonly Nudge[];
  file(name: string, text: string): Promise<ReceivedFile>;
  /** The result of reading a file, by its name; plain text by default. */
  readonly extractions: Map<string, (attempt: number) => Extraction | Promise<Extraction>>;
  /** The responses at URLs of links. */
  readonly web: Map<string, FakePage>;
  /** The reply of every model, `ready` by default. */
  readonly model: { says: Script };
  /** The messaging platform. */
  readonly platform: FakeMessenger;
  /** The OCR result of a file, by its name; OCR is not installed while this is empty. */
  readonly recognitions: Map<string, (attempt: number) => Extraction | Promise<Extraction>>;
  /** The service's storage. */
  readonly blobs: MemoryBlobStore;
  /** Buckets that owners may connect. */
  readonly buckets: MemoryBuckets;
  readonly sealer: Sealer;
  /** Number of rendered thumbnails, without cache hits. */
  readonly rendered: { times: number };
  /** Edits fake images; a spec may replace it. */
  readonly images: { -readonly [K in 'inspect' | 'edit']: ImageEditor[K] };
  /** Detects the language of a text written by a person; '' by default. */
  readonly languages: { of: (text: string) => Promise<string> };
}

const pictureType = (format: string | undefined): ContentType =>
  format === 'jpg'
    ? { kind: 'image', mime: 'image/jpeg', format }
    : format === 'webp'
      ? { kind: 'image', mime: 'image/webp', format }
      : { kind: 'image', mime: 'image/png', format: 'png' };

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Hashes instantly: slow hashing, and sealing, are tested with their adapters. */
export const quickHash = (password: string): string => `$quick$${sha(`pin ${password}`)}`;
const quickHasher: PasswordHasher = {
  hash: (password) => Promise.resolve(quickHash(password)),
  matches: (password, hash) => Promise.resolve(quickHash(password) === hash),
};

/** Of an installation without a data folder. */
const NO_REPORTS: InstallationReports = {
  facts: () => ({
    version: '1.0.0',
    schema: null,
    profile: 'memory',
    runtime: '24',
    startedAt: 0,
    storedIn: 'memory',
  }),
  freeBytes: () => Promise.resolve(null),
  lastBackup: () => Promise.resolve(null),
  lastDrills: () => Promise.resolve(null),
};

let worlds = 0;

/** `name` determines the owner's ids, so it must be unique per backend. */
export async function openCoreFixture(
  backend: Backend,
  name = `world-${++worlds}`,
  over: Partial<
    Pick<
      CoreDeps,
      | 'accountPasswords'
      | 'agentEnabled'
      | 'answerSeconds'
      | 'changes'
      | 'identityProvider'
      | 'inbox'
      | 'reportFailure'
      | 'office'
      | 'oidcTenantId'
      | 'operatorModel'
      | 'publicUrl'
      | 'roles'
      | 'passkeys'
      | 'passwords'
      | 'sniffer'
      | 'timer'
      | 'uow'
      | 'visitorPasswords'
      | 'wordPlaces'
    >
  > = {},
): Promise<CoreFixture> {
  const nudges: Nudge[] = [];
  const attempts = new Map<string, number>();
  const extractions = new Map<string, (attempt: number) => Extraction | Promise<Extraction>>();
  const web = new Map<string, FakePage>();
  const model: CoreFixture['model'] = { says: () => ({ pieces: ['ready'] }) };
  const recognitions: CoreFixture['recognitions'] = new Map();
  const blobs = new MemoryBlobStore();
  const buckets = new MemoryBuckets();
  const sealer = aesSealer('k'.repeat(40));
  const plain = new PlainTextExtractor();
  const rendered = { times: 0 };
  const toys = new FakeImageEditor();
  const images: CoreFixture['images'] = {
    inspect: (source) => toys.inspect(source),
    edit: (source, operation) => toys.edit(source, operation),
  };
  const languages: CoreFixture['languages'] = { of: () => Promise.resolve('') };
  let stepNumber = 0;
  let created = 0;
  const world = { now: Date.UTC(2026, 0, 1) };
  const salted = () => sha(`${name}/${stepNumber}/${created++}`);
  // Like real ids, a later one sorts after an earlier one.
  const hex = () => {
    const [step, nth] = [stepNumber.toString(16), (created++).toString(16)];
    return `${step.padStart(8, '0')}-${nth.padStart(4, '0')}-7000-8000-${sha(name).slice(0, 12)}`;
  };
  const extract = async (request: ExtractionRequest): Promise<Extraction> => {
    const attempt = (attempts.get(request.filename) ?? 0) + 1;
    attempts.set(request.filename, attempt);
    const special = extractions.get(request.filename);
    if (special) return special(attempt);
    return plain.extract(request);
  };
  const zones = intlTimeZones();
  const platform = new FakeMessenger({ now: () => world.now });
  const core = createCore({
    uow: backend.uow,
    reportFailure: () => undefined,
    zones,
    accounts: backend.accounts,
    archives: outsideUnitOfWork('ArchiveFormat', zipArchives()),
    directory: backend.directory,
    deletionHolds: backend.deletionHolds,
    oneTimeSecrets: backend.oneTimeSecrets,
    signInAttempts: backend.signInAttempts,
    scheduler: eventLoop,
    calendars: outsideUnitOfWork('CalendarFormat', icalendarFormat(zones, eventLoop)),
    changes: new InProcessChangeFeed(name),
    clientNames: bowserClientNames,
    clock: { now: () => world.now },
    contentDigest: sha256ContentDigest,
    digests: sha256Digest,
    keyedDigests: hmacKeyedDigest('k'.repeat(40)),
    random: { uuid: hex, secret: () => Buffer.from(salted(), 'hex').toString('base64url') },
    extractor: outsideUnitOfWork('TextExtractor', {
      extract,
      languageOf: (text: string) => languages.of(text),
      close: () => Promise.resolve(),
    }),
    identityProvider: null,
    inbox: null,
    inboxTimes: { settleMs: 5_000, pollMs: 30_000 },
    images: outsideUnitOfWork('ImageEditor', {
      inspect: (source) => images.inspect(source),
      edit: (source, operation) => images.edit(source, operation),
      close: () => Promise.resolve(),
    }),
    ocr: outsideUnitOfWork('OcrEngine', {
      get languages() {
        return recognitions.size > 0 ? ['eng'] : [];
      },
      recognise: async (request: ExtractionRequest): Promise<Extraction> => {
        const attempt = (attempts.get(`ocr ${request.filename}`) ?? 0) + 1;
        attempts.set(`ocr ${request.filename}`, attempt);
        const made = recognitions.get(request.filename);
        if (!made) throw new Error('Unexpected text recognition.');
        return made(attempt);
      },
      close: () => Promise.resolve(),
    }),
    jobs: {
      enqueue: (nudge) => Promise.resolve(void nudges.push(nudge)),
      handle: () => undefined,
      waiting: () => Promise.resolve(nudges.length),
      close: () => Promise.resolve(),
    },
    messenger: outsideUnitOfWork('Messenger', platform),
    models: outsideUnitOfWork(
      'LanguageModel',
      new ScriptedLanguageModel((request) => model.says(request)),
    ),
    office: null,
    selfReachability: { answers: () => Promise.resolve({ ok: true, detail: 'It answers.' }) },
    pages: outsideUnitOfWork('PageFetcher', new MemoryPageFetcher(web)),
    accountPasswords: quickHasher,
    commonPasswords: { has: (password) => Promise.resolve(password === 'correct horse battery') },
    passkeys: outsideUnitOfWork(
      'PasskeyVerifier',
      webAuthnVerifier(() => 'https://workspace.test'),
    ),
    passwords: quickHasher,
    visitorPasswords: quickHasher,
    wordPlaces: outsideUnitOfWork('WordPlaces', {
      wordsOn: () => Promise.resolve([]),
      close: () => Promise.resolve(),
    }),
    probes: [],
    rates: new MemoryRateCounter(),
    sealer,
    storage: outsideUnitOfWork('BlobStore', blobs),
    buckets: outsideUnitOfWork('Buckets', buckets),
    sniffer: {
      identify: (head, filename) =>
        Promise.resolve(
          Buffer.from(head).toString('latin1').startsWith('picture')
            ? pictureType(Buffer.from(head).toString('latin1').split(' ')[1])
            : filename.endsWith('.pdf')
              ? { kind: 'pdf', mime: 'application/pdf', format: 'pdf' }
              : { kind: 'text', mime: 'text/plain', format: 'txt' },
        ),
    },
    thumbnailer: outsideUnitOfWork('Thumbnailer', {
      render: async (request: ThumbnailRequest): Promise<RenderResult> => {
        const { type, maxSidePixels } = request;
        if (type.kind !== 'pdf' && type.format !== 'png')
          return { outcome: 'none', reason: 'It is no picture.' };
        rendered.times++;
        const chunks: Uint8Array[] = [Buffer.from(`${maxSidePixels} of `)];
        for await (const chunk of request.open()) chunks.push(chunk);
        return { outcome: 'picture', webp: Buffer.concat(chunks) };
      },
      close: () => Promise.resolve(),
    }),
    timer: nodeTimer,
    tools: toolSchemas(),
    roles: BUILT_IN_ROLES,
    isFirstOwnerOperator: false,
    installationCounts: backend.installationCounts,
    installationReports: NO_REPORTS,
    agentEnabled: true,
    answerSeconds: 60,
    browserUrl: () => 'http://workspace.test',
    madeBy: 'owner-workspace test',
    maxImportBytes: 100_000_000,
    maxUploadBytes: 1_000_000,
    oidcTenantId: null,
    operatorModel: null,
    publicUrl: () => 'http://workspace.test',
    trashDays: 30,
    unlockSeconds: 900,
    ...over,
  });
  const tenant = await core.identity.createTenant(`tenant of ${name}`);
  const { first } = await core.identity.createOwner({ name: 'owner', tenant: tenant.id });
  const caller = await core.identity.authenticate({ bearer: first.bearer }, NO_CLIENT);
  // Recorded in the background otherwise, where it would disturb specs that count or fail writes.
  await core.identity.flushLastUse();
  return Object.assign(world, {
    core,
    caller,
    bearer: first.bearer,
    blobs,
    buckets,
    sealer,
    extractions,
    web,
    model,
    platform,
    recognitions,
    languages,
    images,
    rendered,
    step: (number: number) => {
      stepNumber = number;
      created = 0;
    },
    runPendingTasks: async () => {
      for (let nudge = nudges.shift(); nudge; nudge = nudges.shift())
        await core.background.runTask(nudge.taskId).catch(() => undefined);
    },
    takeQueuedNudges: () => nudges.splice(0),
    file: (filename: string, text: string) =>
      core.objects.receiveFile(caller, { filename, bytes: bytesOf(text) }),
  });
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}
