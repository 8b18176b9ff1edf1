import { ContainerModule, type Bind } from 'inversify';
import { zipArchives } from '../adapters/archive-zip/archive-format.ts';
import { probeWithTimeout, sharedProbe } from '../adapters/guards/health-probe.ts';
import { rejectNested, outsideUnitOfWork } from '../adapters/guards/unit-of-work.ts';
import { bowserClientNames } from '../adapters/user-agents/client-names.ts';
import { toolSchemas } from '../adapters/http/openapi/agent-tool-schemas.ts';
import { FolderInbox } from '../adapters/inbox-fs/inbox.ts';
import { icalendarFormat } from '../adapters/icalendar/calendar-format.ts';
import { zxcvbnCommonPasswords } from '../adapters/node/common-passwords.ts';
import { argon2Hasher } from '../adapters/node/password-hasher.ts';
import { hmacKeyedDigest } from '../adapters/node/keyed-digest.ts';
import { sha256ContentDigest } from '../adapters/node/content-digest.ts';
import { aesSealer } from '../adapters/node/sealer.ts';
import { sealedHasher } from '../adapters/node/sealed-hasher.ts';
import { eventLoop } from '../adapters/node/tick-scheduler.ts';
import { nodeTimer } from '../adapters/node/timer.ts';
import { cryptoRandom, sha256Digest, systemClock } from '../adapters/node/system.ts';
import { intlTimeZones } from '../adapters/node/time-zones.ts';
import { ChildProcessExtractor } from '../adapters/extract/extractor.ts';
import { ChildProcessImageEditor } from '../adapters/extract/image-editor.ts';
import { ChildProcessOcr } from '../adapters/extract/ocr-engine.ts';
import { confinementProbe } from '../adapters/extract/health.ts';
import type { SystemConfinement } from '../adapters/extract/process/namespaces.ts';
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
import { ChildProcessWordPlaces } from '../adapters/extract/word-places.ts';
import { ChildProcessThumbnailer } from '../adapters/extract/thumbnailer.ts';
import { webAuthnVerifier } from '../adapters/webauthn/passkey-verifier.ts';
import { onLocalhost } from '../adapters/webauthn/relying-party.ts';
import { LANE_CONCURRENCY } from '../core/processing/index.ts';
import type { ChangeFeed } from '../ports/changes.ts';
import type { DeletionHolds } from '../ports/deletion-holds.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { Directory } from '../ports/directory.ts';
import type { InstallationCounts } from '../ports/installation.ts';
import type { IntegrityChecks } from '../ports/integrity.ts';
import type { HealthProbe } from '../ports/health.ts';
import type { JobQueue, QueueLimits } from '../ports/jobs.ts';
import type { Accounts } from '../ports/identity.ts';
import type { RateCounter } from '../ports/rate-counter.ts';
import type { OneTimeSecrets, SignInAttempts } from '../ports/sign-in.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { Config } from './config.ts';
import { openIdentityProvider } from './identity-provider.ts';
import { installationReports } from './installation-reports.ts';
import type { Logger } from './log.ts';
import { ownersBuckets, ownerAllowedDestinations } from './owner-destinations.ts';
import { PORTS, PORT_NAMES, TOKENS, type CoreLimits, type Ports } from './tokens.ts';
import { productVersion } from './version.ts';

/** The adapters that differ between profiles. `close` releases all resources. */
export interface ProfileAdapters {
  readonly uow: UnitOfWork;
  readonly accounts: Accounts;
  readonly directory: Directory;
  readonly oneTimeSecrets: OneTimeSecrets;
  readonly signInAttempts: SignInAttempts;
  readonly integrity: IntegrityChecks;
  readonly installationCounts: InstallationCounts;
  readonly blobs: BlobStore;
  readonly deletionHolds: DeletionHolds;
  readonly changes: ChangeFeed;
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

const openOffice = ({ office }: Config) =>
  office && {
    engine: new HttpOfficeEngine({
      ...office,
      rules: { allowed: destinationOfUrl(office.url) },
    }),
    serverUrl: office.url,
  };

/** Binds the adapters of a profile, each slow port behind the guard that rejects it inside units of work. */
export function adapterModule(
  backing: ProfileAdapters,
  config: Config,
  key: string,
  log: Logger,
  publicUrl: () => string,
  confinement: SystemConfinement,
) {
  const jobs = backing.queue({
    concurrency: TASKS_AT_ONCE,
    lanes: LANE_CONCURRENCY,
    maxWaiting: MAX_QUEUED_NUDGES,
  });
  const browserUrl = () => config.publicUrl || onLocalhost(publicUrl());
  const extractor = new ChildProcessExtractor({ confinement });
  const pages = new HttpPageFetcher({ allowed: config.outboundAllow });
  const operatorPolicy = { allowed: destinationOfUrl(config.llmUrl) };
  const near = ownerAllowedDestinations(config);
  const models = new HttpLanguageModel(eventLoop, { allowed: near }, operatorPolicy);
  const messengerPolicy = { allowed: destinationOfUrl(config.messenger.baseUrl) };
  const messenger = new TelegramMessenger(config.messenger.baseUrl, messengerPolicy);
  const office = openOffice(config);
  const inbox =
    config.inbox && new FolderInbox({ path: config.inbox.path, polls: config.inbox.pollMs > 0 });
  const buckets = ownersBuckets(config);
  const ocr = new ChildProcessOcr(config.ocr, extractor, { confinement });
  const wordPlaces = new ChildProcessWordPlaces(config.ocr, confinement);
  const zones = intlTimeZones();
  const sealer = aesSealer(key);
  const thumbnailer = new ChildProcessThumbnailer({ confinement });
  const images = new ChildProcessImageEditor({ confinement });
  const probes: HealthProbe[] = [
    ...backing.probes,
    confinementProbe(confinement),
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
        () => backing.directory.botTroubles(),
      ),
    ].map((probe) => sharedProbe(probeWithTimeout(probe, PROBE_MS), PROBE_LASTING_MS)),
  ];
  const bindings: Bindings = {
    accountPasswords: { port: argon2Hasher({ maxRunning: 1 }), slow: true },
    accounts: { port: backing.accounts },
    archives: { port: zipArchives(), slow: true },
    scheduler: { port: eventLoop },
    buckets: { port: buckets, slow: true, close: () => buckets.close() },
    changes: { port: backing.changes, close: () => backing.changes.close() },
    calendars: { port: icalendarFormat(zones, eventLoop), slow: true },
    clientNames: { port: bowserClientNames },
    clock: { port: systemClock },
    commonPasswords: { port: zxcvbnCommonPasswords(), slow: true },
    contentDigest: { port: sha256ContentDigest },
    digests: { port: sha256Digest },
    directory: { port: backing.directory },
    random: { port: cryptoRandom },
    extractor: { port: extractor, slow: true, close: () => extractor.close() },
    deletionHolds: { port: backing.deletionHolds },
    identityProvider: openIdentityProvider(config, log),
    images: { port: images, slow: true, close: () => images.close() },
    inbox: {
      port: inbox && outsideUnitOfWork('Inbox', inbox),
      close: () => inbox?.close(),
    },
    installationCounts: { port: backing.installationCounts },
    installationReports: { port: installationReports(config), slow: true },
    jobs: { port: jobs },
    keyedDigests: { port: hmacKeyedDigest(key) },
    messenger: { port: messenger, slow: true, close: () => messenger.close() },
    models: { port: models, slow: true, close: () => models.close() },
    office: {
      port: office && { ...office, engine: outsideUnitOfWork('OfficeEngine', office.engine) },
      close: () => office?.engine.close(),
    },
    oneTimeSecrets: { port: backing.oneTimeSecrets },
    selfReachability: { port: selfReachability, slow: true },
    pages: { port: pages, slow: true, close: () => pages.close() },
    passkeys: {
      port: webAuthnVerifier(browserUrl),
      slow: true,
    },
    passwords: { port: sealedHasher(argon2Hasher(), sealer), slow: true },
    probes: { port: probes.map((probe) => probeWithTimeout(probe, PROBE_MS)) },
    rates: { port: backing.rates },
    ocr: { port: ocr, slow: true, close: () => ocr.close() },
    sealer: { port: sealer },
    signInAttempts: { port: backing.signInAttempts },
    sniffer: { port: contentSniffer },
    storage: { port: backing.blobs, slow: true },
    thumbnailer: { port: thumbnailer, slow: true, close: () => thumbnailer.close() },
    timer: { port: nodeTimer },
    tools: { port: toolSchemas() },
    uow: { port: rejectNested(backing.uow), close: () => backing.close() },
    visitorPasswords: {
      port: sealedHasher(argon2Hasher({ maxRunning: 1 }), sealer),
      slow: true,
    },
    wordPlaces: { port: wordPlaces, slow: true, close: () => wordPlaces.close() },
    zones: { port: zones },
  };
  return new ContainerModule(({ bind }) => {
    for (const name of PORT_NAMES) bindPort(bind, name, bindings[name]);
    bind(TOKENS.limits).toConstantValue(limitsOf(config, log, publicUrl, browserUrl));
  });
}

const limitsOf = (
  config: Config,
  log: Logger,
  publicUrl: () => string,
  browserUrl: () => string,
): CoreLimits => ({
  agentEnabled: config.agentEnabled,
  answerSeconds: config.answerSeconds,
  browserUrl,
  inboxTimes: {
    settleMs: config.inboxSettleSeconds * 1_000,
    pollMs: config.inboxPollSeconds * 1_000,
  },
  isFirstOwnerOperator: config.profile !== 'team',
  madeBy: `owner-workspace ${productVersion()}`,
  maxImportBytes: config.maxImportBytes,
  roles: config.roles,
  maxUploadBytes: config.maxUploadBytes,
  oidcTenantId: config.oidc?.tenantId ?? null,
  operatorModel: config.operatorModel,
  publicUrl,
  reportFailure: (task, err) => log.warn({ task, err }, 'background work failed'),
  trashDays: config.trashDays,
  unlockSeconds: config.unlockSeconds,
});

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
