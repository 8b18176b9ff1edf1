import { ContainerModule } from 'inversify';
import { zipArchives } from '../adapters/archive-zip/archive-format.ts';
import { boundedProbe, sharedProbe } from '../adapters/guards/health-probe.ts';
import { guarded, outsideUnitOfWork } from '../adapters/guards/unit-of-work.ts';
import { toolSchemas } from '../adapters/http/openapi/agent-tool-schemas.ts';
import { icalendarFormat } from '../adapters/icalendar/calendar-format.ts';
import { argon2Hasher } from '../adapters/node/password-hasher.ts';
import { hmacKeyedDigest } from '../adapters/node/keyed-digest.ts';
import { sha256ContentDigest } from '../adapters/node/content-digest.ts';
import { aesSealer } from '../adapters/node/sealer.ts';
import { eventLoop } from '../adapters/node/event-loop.ts';
import { cryptoEntropy, sha256Digest, systemClock } from '../adapters/node/system.ts';
import { intlTimeZones } from '../adapters/node/time-zones.ts';
import { ChildProcessExtractor } from '../adapters/extract/extractor.ts';
import { ChildProcessImageEditor } from '../adapters/extract/image-editor.ts';
import { ChildProcessRecogniser } from '../adapters/extract/recogniser.ts';
import { contentSniffer } from '../adapters/extract/sniffer.ts';
import { placeOf } from '../adapters/outbound/destinations.ts';
import { messengerProbe } from '../adapters/outbound/messengers/health.ts';
import { TelegramMessenger } from '../adapters/outbound/messengers/telegram.ts';
import { modelProbe } from '../adapters/outbound/models/health.ts';
import { HttpLanguageModel } from '../adapters/outbound/models/language-model.ts';
import { HttpOfficeEngine } from '../adapters/outbound/office/engine.ts';
import { officeProbe } from '../adapters/outbound/office/health.ts';
import { ownAddress } from '../adapters/outbound/office/own-address.ts';
import { HttpPageFetcher } from '../adapters/outbound/page-fetcher.ts';
import { ChildProcessThumbnailer } from '../adapters/extract/thumbnailer.ts';
import { SLOW_TASKS } from '../core/processing/index.ts';
import type { BlobHolds } from '../ports/blob-holds.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Directory } from '../ports/directory.ts';
import type { Inspection } from '../ports/inspection.ts';
import type { HealthProbe } from '../ports/health.ts';
import type { JobQueue, QueueBounds } from '../ports/jobs.ts';
import type { Accounts } from '../ports/identity.ts';
import type { RateCounter } from '../ports/rate-counter.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';
import { ownersBuckets, ownersMayReach } from './owners-places.ts';
import { TOKENS } from './tokens.ts';
import { productVersion } from './version.ts';

/** What differs from profile to profile. Whatever holds something open is closed by `close`. */
export interface Backing {
  readonly uow: UnitOfWork;
  readonly accounts: Accounts;
  readonly directory: Directory;
  readonly inspection: Inspection;
  readonly blobs: BlobStore;
  readonly holds: BlobHolds;
  /** Fails quickly where it may fail at all. */
  readonly rates: RateCounter;
  readonly probes: readonly HealthProbe[];
  /** The queue of this process, or this process's end of the one that all of them share. To be asked for once. */
  queue(bounds: QueueBounds): JobQueue;
  /** Before this process begins to work on tasks. */
  begin(): Promise<void>;
  /** Whether bytes without a row are left over, and not those of another installation. */
  mayBeSwept(): Promise<boolean>;
  /** Takes away what was begun to be stored before the moment and never became a blob. */
  removeAbandoned(before: number): Promise<void>;
  close(): Promise<void>;
}

const TASKS_AT_ONCE = 3;
const MOST_NUDGES = 10_000;
const PROBE_MS = 2_000;
/** How long all callers share one result of a probe that sends a request to an outside service. */
const PROBE_LASTING_MS = 10_000;

/** Binds the adapters of a profile, each slow port behind the guard that keeps it out of units of work. */
export function adapterModule(
  backing: Backing,
  config: Config,
  key: string,
  log: Logger,
  publicUrl: () => string,
) {
  const jobs = backing.queue({
    concurrency: TASKS_AT_ONCE,
    lanes: SLOW_TASKS,
    mostWaiting: MOST_NUDGES,
  });
  const extractor = new ChildProcessExtractor();
  const pages = new HttpPageFetcher({ allowed: config.outboundAllow });
  const operatorPlace = { allowed: placeOf(config.llmUrl) };
  const near = ownersMayReach(config);
  const models = new HttpLanguageModel(eventLoop, { allowed: near }, operatorPlace);
  const messengerPlace = { allowed: placeOf(config.messenger.baseUrl) };
  const messenger = new TelegramMessenger(config.messenger.baseUrl, messengerPlace);
  const office = config.office && {
    engine: new HttpOfficeEngine({
      ...config.office,
      rules: { allowed: placeOf(config.office.url) },
    }),
    serverUrl: config.office.url,
  };
  const buckets = ownersBuckets(config);
  const recogniser = new ChildProcessRecogniser(config.ocr, extractor);
  const zones = intlTimeZones();
  const thumbnailer = new ChildProcessThumbnailer();
  const images = new ChildProcessImageEditor();
  const probes: HealthProbe[] = [
    ...backing.probes,
    {
      name: 'queue',
      // Does not show how many tasks wait: the number would include tasks of other owners.
      check: async () => (
        await jobs.waiting(),
        { status: 'ok', detail: 'The queue accepts tasks.' }
      ),
    },
    ...[
      modelProbe(config.operatorModel?.endpoint ?? null, operatorPlace, PROBE_MS),
      officeProbe(office?.engine ?? null, PROBE_MS),
      messengerProbe(
        config.messenger.baseUrl,
        messengerPlace,
        PROBE_MS,
        async () => config.messenger.named || (await backing.directory.anyBot()),
      ),
    ].map((probe) => sharedProbe(boundedProbe(probe, PROBE_MS), PROBE_LASTING_MS)),
  ];
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.accounts).toConstantValue(backing.accounts);
    bind(TOKENS.archives).toConstantValue(outsideUnitOfWork('ArchiveFormat', zipArchives()));
    bind(TOKENS.breather).toConstantValue(eventLoop);
    bind(TOKENS.buckets)
      .toConstantValue(outsideUnitOfWork('Buckets', buckets))
      .onDeactivation(() => buckets.close());
    bind(TOKENS.calendars).toConstantValue(
      outsideUnitOfWork('CalendarFormat', icalendarFormat(zones, eventLoop)),
    );
    bind(TOKENS.clock).toConstantValue(systemClock);
    bind(TOKENS.contentDigest).toConstantValue(sha256ContentDigest);
    bind(TOKENS.digests).toConstantValue(sha256Digest);
    bind(TOKENS.directory).toConstantValue(backing.directory);
    bind(TOKENS.entropy).toConstantValue(cryptoEntropy);
    bind(TOKENS.extractor)
      .toConstantValue(outsideUnitOfWork('TextExtractor', extractor))
      .onDeactivation(() => extractor.close());
    bind(TOKENS.holds).toConstantValue(backing.holds);
    bind(TOKENS.images)
      .toConstantValue(outsideUnitOfWork('ImageEditor', images))
      .onDeactivation(() => images.close());
    bind(TOKENS.jobs).toConstantValue(jobs);
    bind(TOKENS.messenger)
      .toConstantValue(outsideUnitOfWork('Messenger', messenger))
      .onDeactivation(() => messenger.close());
    bind(TOKENS.models)
      .toConstantValue(outsideUnitOfWork('LanguageModel', models))
      .onDeactivation(() => models.close());
    bind(TOKENS.office)
      .toConstantValue(
        office && { ...office, engine: outsideUnitOfWork('OfficeEngine', office.engine) },
      )
      .onDeactivation(() => office?.engine.close());
    bind(TOKENS.ownAddress).toConstantValue(outsideUnitOfWork('OwnAddress', ownAddress));
    bind(TOKENS.pages)
      .toConstantValue(outsideUnitOfWork('PageFetcher', pages))
      .onDeactivation(() => pages.close());
    bind(TOKENS.passwords).toConstantValue(outsideUnitOfWork('PasswordHasher', argon2Hasher()));
    bind(TOKENS.visitorPasswords).toConstantValue(
      outsideUnitOfWork('PasswordHasher', argon2Hasher({ maxRunning: 1 })),
    );
    bind(TOKENS.probes).toConstantValue(probes.map((probe) => boundedProbe(probe, PROBE_MS)));
    bind(TOKENS.rates).toConstantValue(backing.rates);
    bind(TOKENS.recogniser)
      .toConstantValue(outsideUnitOfWork('TextRecogniser', recogniser))
      .onDeactivation(() => recogniser.close());
    bind(TOKENS.keyedDigests).toConstantValue(hmacKeyedDigest(key));
    bind(TOKENS.sealer).toConstantValue(aesSealer(key));
    bind(TOKENS.storage).toConstantValue(outsideUnitOfWork('BlobStore', backing.blobs));
    bind(TOKENS.sniffer).toConstantValue(contentSniffer);
    bind(TOKENS.thumbnailer)
      .toConstantValue(outsideUnitOfWork('Thumbnailer', thumbnailer))
      .onDeactivation(() => thumbnailer.close());
    bind(TOKENS.tools).toConstantValue(toolSchemas());
    bind(TOKENS.uow)
      .toConstantValue(guarded(backing.uow))
      .onDeactivation(() => backing.close());
    bind(TOKENS.zones).toConstantValue(zones);
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
