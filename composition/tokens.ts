import type { ServiceIdentifier } from 'inversify';
import type { Core, CoreDeps } from '../core/index.ts';

/** Installation-specific limits for the rules of the core. */
export type CoreLimits = Pick<
  CoreDeps,
  | 'agentEnabled'
  | 'answerSeconds'
  | 'browserUrl'
  | 'inboxTimes'
  | 'isFirstOwnerOperator'
  | 'madeBy'
  | 'maxImportBytes'
  | 'maxUploadBytes'
  | 'oidcTenantId'
  | 'operatorModel'
  | 'publicUrl'
  | 'reportFailure'
  | 'roles'
  | 'trashDays'
  | 'unlockSeconds'
>;

/** Everything the core needs from adapters. */
export type Ports = Omit<CoreDeps, keyof CoreLimits>;

/** Every port by the name that the core calls it, with the name of its interface. A port left out does not compile. */
export const PORTS = {
  accountPasswords: 'AccountPasswordHasher',
  accounts: 'Accounts',
  archives: 'ArchiveFormat',
  scheduler: 'Scheduler',
  buckets: 'Buckets',
  calendars: 'CalendarFormat',
  changes: 'ChangeFeed',
  clientNames: 'ClientNames',
  clock: 'Clock',
  commonPasswords: 'CommonPasswords',
  contentDigest: 'ContentDigest',
  digests: 'SecretDigest',
  directory: 'Directory',
  random: 'RandomSource',
  extractor: 'TextExtractor',
  deletionHolds: 'DeletionHolds',
  identityProvider: 'IdentityProvider',
  images: 'ImageEditor',
  inbox: 'Inbox',
  installationCounts: 'InstallationCounts',
  installationReports: 'InstallationReports',
  jobs: 'JobQueue',
  keyedDigests: 'KeyedDigest',
  messenger: 'Messenger',
  models: 'LanguageModel',
  office: 'Office',
  oneTimeSecrets: 'OneTimeSecrets',
  selfReachability: 'SelfReachability',
  pages: 'PageFetcher',
  passkeys: 'PasskeyVerifier',
  passwords: 'PasswordHasher',
  probes: 'HealthProbes',
  rates: 'RateCounter',
  ocr: 'OcrEngine',
  sealer: 'Sealer',
  signInAttempts: 'SignInAttempts',
  sniffer: 'ContentSniffer',
  storage: 'BlobStore',
  thumbnailer: 'Thumbnailer',
  timer: 'Timer',
  tools: 'AgentTools',
  uow: 'UnitOfWork',
  visitorPasswords: 'VisitorPasswordHasher',
  wordPlaces: 'WordPlaces',
  zones: 'TimeZones',
} as const satisfies Record<keyof Ports, string>;

export const PORT_NAMES = Object.keys(PORTS) as readonly (keyof Ports)[];

const token = <T>(name: string) => Symbol.for(name) as ServiceIdentifier<T>;

type PortTokens = { readonly [K in keyof Ports]: ServiceIdentifier<Ports[K]> };

export const TOKENS = {
  ...(Object.fromEntries(PORT_NAMES.map((port) => [port, token(PORTS[port])])) as PortTokens),
  core: token<Core>('Core'),
  limits: token<CoreLimits>('Limits'),
};
