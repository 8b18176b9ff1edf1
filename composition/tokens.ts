import type { ServiceIdentifier } from 'inversify';
import type { Core, CoreDeps } from '../core/index.ts';

const token = <T>(name: string) => Symbol.for(name) as ServiceIdentifier<T>;

/** One dependency-injection token per dependency of the core, by its name in the core. */
export const TOKENS = {
  accounts: token<CoreDeps['accounts']>('Accounts'),
  archives: token<CoreDeps['archives']>('ArchiveFormat'),
  buckets: token<CoreDeps['buckets']>('Buckets'),
  breather: token<CoreDeps['breather']>('Breather'),
  calendars: token<CoreDeps['calendars']>('CalendarFormat'),
  clock: token<CoreDeps['clock']>('Clock'),
  contentDigest: token<CoreDeps['contentDigest']>('ContentDigest'),
  digests: token<CoreDeps['digests']>('SecretDigest'),
  directory: token<CoreDeps['directory']>('Directory'),
  entropy: token<CoreDeps['entropy']>('Entropy'),
  extractor: token<CoreDeps['extractor']>('TextExtractor'),
  holds: token<CoreDeps['holds']>('BlobHolds'),
  images: token<CoreDeps['images']>('ImageEditor'),
  jobs: token<CoreDeps['jobs']>('JobQueue'),
  limits: token<CoreLimits>('Limits'),
  messenger: token<CoreDeps['messenger']>('Messenger'),
  models: token<CoreDeps['models']>('LanguageModel'),
  office: token<CoreDeps['office']>('Office'),
  ownAddress: token<CoreDeps['ownAddress']>('OwnAddress'),
  pages: token<CoreDeps['pages']>('PageFetcher'),
  passwords: token<CoreDeps['passwords']>('PasswordHasher'),
  probes: token<CoreDeps['probes']>('HealthProbes'),
  rates: token<CoreDeps['rates']>('RateCounter'),
  recogniser: token<CoreDeps['recogniser']>('TextRecogniser'),
  keyedDigests: token<CoreDeps['keyedDigests']>('KeyedDigest'),
  sealer: token<CoreDeps['sealer']>('Sealer'),
  storage: token<CoreDeps['storage']>('BlobStore'),
  sniffer: token<CoreDeps['sniffer']>('ContentSniffer'),
  thumbnailer: token<CoreDeps['thumbnailer']>('Thumbnailer'),
  tools: token<CoreDeps['tools']>('AgentTools'),
  uow: token<CoreDeps['uow']>('UnitOfWork'),
  visitorPasswords: token<CoreDeps['visitorPasswords']>('VisitorPasswordHasher'),
  zones: token<CoreDeps['zones']>('TimeZones'),
  core: token<Core>('Core'),
};

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
