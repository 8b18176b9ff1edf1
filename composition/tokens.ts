import type { ServiceIdentifier } from 'inversify';
import type { Core, CoreDeps } from '../core/index.ts';

/** Installation-specific limits for the rules of the core. */
export type CoreLimits = Pick<
  CoreDeps,
  | 'agentEnabled'
  | 'answerSeconds'
  | 'madeBy'
  | 'maxImportBytes'
  | 'maxUploadBytes'
  | 'operatorModel'
  | 'publicUrl'
  | 'roles'
  | 'trashDays'
  | 'unlockSeconds'
>;

/** Everything the core needs from adapters. */
export type Ports = Omit<CoreDeps, keyof CoreLimits>;

/** Every port by the name that the core calls it, with the name of its interface. A port left out does not compile. */
export const PORTS = {
  accounts: 'Accounts',
  archives: 'ArchiveFormat',
  scheduler: 'Scheduler',
  buckets: 'Buckets',
  calendars: 'CalendarFormat',
  clock: 'Clock',
  contentDigest: 'ContentDigest',
  digests: 'SecretDigest',
  directory: 'Directory',
  random: 'RandomSource',
  extractor: 'TextExtractor',
  deletionHolds: 'DeletionHolds',
  images: 'ImageEditor',
  jobs: 'JobQueue',
  keyedDigests: 'KeyedDigest',
  messenger: 'Messenger',
  models: 'LanguageModel',
  office: 'Office',
  selfReachability: 'SelfReachability',
  pages: 'PageFetcher',
  passwords: 'PasswordHasher',
  probes: 'HealthProbes',
  rates: 'RateCounter',
  ocr: 'OcrEngine',
  sealer: 'Sealer',
  sniffer: 'ContentSniffer',
  storage: 'BlobStore',
  thumbnailer: 'Thumbnailer',
  tools: 'AgentTools',
  uow: 'UnitOfWork',
  visitorPasswords: 'VisitorPasswordHasher',
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
