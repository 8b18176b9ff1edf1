import { ContainerModule, type Bind } from 'inversify';
import { zipArchives } from '../adapters/archive-zip/archive-format.ts';
import { probeWithTimeout, sharedProbe } from '../adapters/guards/health-probe.ts';
import { rejectNested, outsideUnitOfWork } from '../adapters/guards/unit-of-work.ts';
import { toolSchemas } from '../adapters/http/openapi/agent-tool-schemas.ts';
import { icalendarFormat } from '../adapters/icalendar/calendar-format.ts';
import { argon2Hasher } from '../adapters/node/password-hasher.ts';
import { hmacKeyedDigest } from '../adapters/node/keyed-digest.ts';
import { sha256ContentDigest } from '../adapters/node/content-digest.ts';
import { aesSealer } from '../adapters/node/sealer.ts';
import { eventLoop } from '../adapters/node/tick-scheduler.ts';
import { cryptoRandom, sha256Digest, systemClock } from '../adapters/node/system.ts';
import { intlTimeZones } from '../adapters/node/time-zones.ts';
import { ChildProcessExtractor } from '../adapters/extract/extractor.ts';
import { ChildProcessImageEditor } from '../adapters/extract/image-editor.ts';
import { ChildProcessOcr } from '../adapters/extract/ocr-engine.ts';
import { contentSniffer } from '../adapters/extract/sniffer.ts';
import { destinationOfUrl } from '../adapters/outbound/destination-policy.ts';
import { messengerProbe } from '../adapters/outbound/messengers/health.ts';
import { TelegramMessenger } from '../adapters/outbound/messengers/telegram.ts';
import { modelProbe } from '../adapters/outbound/models/health.ts';
import { HttpLanguageModel } from '../adapters/outbound/models/language-model.ts';
import { HttpOfficeEngine } from '../adapters/outbound/office/engine.ts';
import { officeProbe } from '../adapters/outbound/office/health.ts';
import { selfReachability } from '../adapters/outbound/office/self-reachability.ts';
import { HttpPageFetcher } from '../adapters/outbound/page-fetcher.ts';
import { ChildProcessThumbnailer } from '../adapters/extract/thumbnailer.ts';
import { LANE_CONCURRENCY } from '../core/processing/index.ts';
import type { DeletionHolds } from '../ports/deletion-holds.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Directory } from '../ports/directory.ts';
import type { IntegrityChecks } from '../ports/integrity.ts';
import type { HealthProbe } from '../ports/health.ts';
import type { JobQueue, QueueLimits } from '../ports/jobs.ts';
import type { Accounts } from '../ports/identity.ts';
import type { RateCounter } from '../ports/rate-counter.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';
import { ownersBuckets, ownerAllowedDestinations } from './owner-destinations.ts';
import { PORTS, PORT_NAMES, TOKENS, type Ports } from './tokens.ts';
import { productVersion } from './version.ts';

/** The adapters that differ between profiles. `close` releases all resources. */
export interface ProfileAdapters {
  readonly uow: UnitOfWork;
  readonly accounts: Accounts;
  readonly directory: Directory;
  readonly integrity: IntegrityChecks;
  readonly blobs: BlobStore;
  readonly deletionHolds: DeletionHolds;
  /** Fails fast where failure is allowed. */
  readonly rates: RateCounter;
  readonly probes: readonly HealthProbe[];
  /** The queue of this process, or its connection to the shared queue. Requested once. */
  queue(bounds: QueueLimits): JobQueue;
  /** Called before this process starts to run tasks. */
  begin(): Promise<void>;
  /** Whether bytes without a row are garbage, and not those of another installation. */
  mayCollectGarbage(): Promise<boolean>;
  /** Aborts uploads begun before the moment that never became a blob. */
  abortStaleUploads(before: number): Promise<void>;
  close(): Promise<void>;
}

const TASKS_AT_ONCE = 3;
const MAX_QUEUED_NUDGES = 10_000;
const PROBE_MS = 2_000;
/** How long all callers share one result of a probe that sends a request to an outside service. */
const PROBE_LASTING_MS = 10_000;

/** Binds the adapters of a profile, each slow port behind the guard that rejects it inside units of work. */
export function adapterModule(
  backing: ProfileAdapters,
  config: Config,
  key: string,
  log: Logger,
  publicUrl: () => string,
) {
  const jobs = backing.queue({
    concurrency: TASKS_AT_ONCE,
    lanes: LANE_CONCURRENCY,
    maxWaiting: MAX_QUEUED_NUDGES,
  });
  const extractor = new ChildProcessExtractor();
  const pages = new HttpPageFetcher({ allowed: config.outboundAllow });
  const operatorPolicy = { allowed: destinationOfUrl(config.llmUrl) };
  const near = ownerAllowedDestinations(config);
  const models = new HttpLanguageModel(eventLoop, { allowed: near }, operatorPolicy);
  const messengerPolicy = { allowed: destinationOfUrl(config.messenger.baseUrl) };
  const messenger = new TelegramMessenger(config.messenger.baseUrl, messengerPolicy);
  const office = config.office && {
    engine: new HttpOfficeEngine({
      ...config.office,
      rules: { allowed: destinationOfUrl(config.office.url) },
    }),
    serverUrl: config.office.url,
  };
  const buckets = ownersBuckets(config);
  const ocr = new ChildProcessOcr(config.ocr, extractor);
  const zones = intlTimeZones();
  const thumbnailer = new ChildProcessThumbnailer();
  const images = new ChildProcessImageEditor();
  const probes: HealthProbe[] = [
    ...backing.probes,
    {
      name: 'queue',
      // Does not show the number of waiting tasks, which would include tasks of other owners.
      check: async () => (
        await jobs.waiting(),
        { status: 'ok', detail: 'The queue accepts tasks.' }
      ),
    },
    ...[
      modelProbe(config.operatorModel?.endpoint ?? null, operatorPolicy, PROBE_MS),
      officeProbe(office?.engine ?? null, PROBE_MS),
      messengerProbe(
        config.messenger.baseUrl,
        messengerPolicy,
        PROBE_MS,
        async () => config.messenger.named || (await backing.directory.anyBot()),
      ),
    ].map((probe) => sharedProbe(probeWithTimeout(probe, PROBE_MS), PROBE_LASTING_MS)),
  ];
  const bindings: Bindings = {
    accounts: { port: backing.accounts },
    archives: { port: zipArchives(), slow: true },
    scheduler: { port: eventLoop },
    buckets: { port: buckets, slow: true, close: () => buckets.close() },
    calendars: { port: icalendarFormat(zones, eventLoop), slow: true },
    clock: { port: systemClock },
    contentDigest: { port: sha256ContentDigest },
    digests: { port: sha256Digest },
    directory: { port: backing.directory },
    random: { port: cryptoRandom },
    extractor: { port: extractor, slow: true, close: () => extractor.close() },
    deletionHolds: { port: backing.deletionHolds },
    images: { port: images, slow: true, close: () => images.close() },
    jobs: { port: jobs },
    keyedDigests: { port: hmacKeyedDigest(key) },
    messenger: { port: messenger, slow: true, close: () => messenger.close() },
    models: { port: models, slow: true, close: () => models.close() },
    office: {
      port: office && { ...office, engine: outsideUnitOfWork('OfficeEngine', office.engine) },
      close: () => office?.engine.close(),
    },
    selfReachability: { port: selfReachability, slow: true },
    pages: { port: pages, slow: true, close: () => pages.close() },
    passwords: { port: argon2Hasher(), slow: true },
    probes: { port: probes.map((probe) => probeWithTimeout(probe, PROBE_MS)) },
    rates: { port: backing.rates },
    ocr: { port: ocr, slow: true, close: () => ocr.close() },
    sealer: { port: aesSealer(key) },
    sniffer: { port: contentSniffer },
    storage: { port: backing.blobs, slow: true },
    thumbnailer: { port: thumbnailer, slow: true, close: () => thumbnailer.close() },
    tools: { port: toolSchemas() },
    uow: { port: rejectNested(backing.uow), close: () => backing.close() },
    visitorPasswords: { port: argon2Hasher({ maxRunning: 1 }), slow: true },
    zones: { port: zones },
  };
  return new ContainerModule(({ bind }) => {
    for (const name of PORT_NAMES) bindPort(bind, name, bindings[name]);
    bind(TOKENS.limits).toConstantValue({
      agentEnabled: config.agentEnabled,
      answerSeconds: config.answerSeconds,
      madeBy: `owner-workspace ${productVersion()}`,
      maxImportBytes: config.maxImportBytes,
      roles: config.roles,
      maxUploadBytes: config.maxUploadBytes,
      operatorModel: config.operatorModel,
      publicUrl,
      trashDays: config.trashDays,
      unlockSeconds: config.unlockSeconds,
    });
  });
}

interface Binding<Port> {
  readonly port: Port;
  /** Its methods throw inside a unit of work, because they wait for something other than the database. */
  readonly slow?: Port extends object ? true : never;
  /** Called when the container is closed. */
  readonly close?: () => Promise<void> | undefined;
}

/** A port without an adapter does not compile. */
type Bindings = { readonly [K in keyof Ports]: Binding<Ports[K]> };

function bindPort(bind: Bind, name: keyof Ports, { port, slow, close }: Binding<unknown>): void {
  const bound = slow ? outsideUnitOfWork(PORTS[name], port as object) : port;
  const binding = bind<unknown>(TOKENS[name]).toConstantValue(bound);
  if (close) binding.onDeactivation(close);
}
