import * as agent from './agent/index.ts';
import * as agents from './agents/index.ts';
import * as bots from './bots/index.ts';
import * as calendar from './calendar/index.ts';
import * as conversations from './conversations/index.ts';
import * as health from './health/index.ts';
import * as hiddenZone from './hidden-zone/index.ts';
import * as identity from './identity/index.ts';
import * as imaging from './imaging/index.ts';
import * as integrations from './integrations/index.ts';
import * as library from './library/index.ts';
import * as notifications from './notifications/index.ts';
import * as objects from './objects/index.ts';
import * as office from './office/index.ts';
import * as organize from './organize/index.ts';
import * as processing from './processing/index.ts';
import * as receipts from './idempotency/index.ts';
import * as referral from './referral/index.ts';
import * as settings from './settings/index.ts';
import * as shares from './shares/index.ts';
import { bind, type DepsOf } from './shared/bind.ts';
import { createCoalescer } from './shared/coalescing.ts';
import { countingSlots } from './shared/slots.ts';
import { createKeyedMutex } from './shared/keyed-mutex.ts';
import * as storage from './storage/index.ts';
import * as usage from './usage/index.ts';
import * as transfer from './transfer/index.ts';

const modules = {
  agent: { agentChat: agent.agentChat, confirmAgent: agent.confirmAgent },
  agents: {
    activateAgent: agents.activateAgent,
    createAgent: agents.createAgent,
    deactivateAgent: agents.deactivateAgent,
    deleteAgent: agents.deleteAgent,
    editAgent: agents.editAgent,
    getAgent: agents.getAgent,
    listAgents: agents.listAgents,
  },
  background: {
    keepClaim: processing.keepClaim,
    offerDueTasks: processing.offerDueTasks,
    purgeTrash: objects.purgeTrash,
    sendDueReminders: calendar.sendDueReminders,
    runTask: processing.runTask,
    sweepBlobs: processing.sweepBlobs,
    sweepCopies: storage.sweepCopies,
    sweepExpiredKeys: receipts.sweepExpiredKeys,
    taskKinds: processing.taskKinds,
  },
  bots: {
    admitPlatform: bots.admitPlatform,
    editBotChat: bots.editBotChat,
    getBot: bots.getBot,
    getBotChat: bots.getBotChat,
    listBotChats: bots.listBotChats,
    listBots: bots.listBots,
    receiveUpdate: bots.receiveUpdate,
    registerBot: bots.registerBot,
    removeBot: bots.removeBot,
    syncBotChat: bots.syncBotChat,
  },
  calendar: {
    agenda: calendar.agenda,
    changeOccurrence: calendar.changeOccurrence,
    closeFeed: calendar.closeFeed,
    createEvent: calendar.createEvent,
    deleteEvent: calendar.deleteEvent,
    editEvent: calendar.editEvent,
    exportCalendar: calendar.exportCalendar,
    getEvent: calendar.getEvent,
    importCalendar: calendar.importCalendar,
    excludeOccurrence: calendar.excludeOccurrence,
    listEvents: calendar.listEvents,
    openFeed: calendar.openFeed,
    readFeed: calendar.readFeed,
    splitEvent: calendar.splitEvent,
  },
  conversations: {
    addTurn: conversations.addTurn,
    ask: conversations.ask,
    createChat: conversations.createChat,
    deleteChat: conversations.deleteChat,
    editChat: conversations.editChat,
    getChat: conversations.getChat,
    listChats: conversations.listChats,
    recentQueries: conversations.recentQueries,
  },
  health: { deepHealth: health.deepHealth },
  hiddenZone: {
    lockZone: hiddenZone.lockZone,
    pinState: hiddenZone.pinState,
    removePin: hiddenZone.removePin,
    seesAll: hiddenZone.seesAll,
    setPin: hiddenZone.setPin,
    unlockZone: hiddenZone.unlockZone,
  },
  identity: {
    authenticate: identity.authenticate,
    countRequest: identity.countRequest,
    createOwner: identity.createOwner,
    createTenant: identity.createTenant,
    createToken: identity.createToken,
    issueTokenFor: identity.issueTokenFor,
    listOwners: identity.listOwners,
    listTokens: identity.listTokens,
    revokeToken: identity.revokeToken,
    revokeTokenByPrefix: identity.revokeTokenByPrefix,
  },
  imaging: {
    imageOperationStatus: imaging.imageOperationStatus,
    requestImageOperation: imaging.requestImageOperation,
  },
  integrations: {
    checkIntegration: integrations.checkIntegration,
    connectBucket: integrations.connectBucket,
    connectModel: integrations.connectModel,
    disconnect: integrations.disconnect,
    getIntegration: integrations.getIntegration,
    listIntegrations: integrations.listIntegrations,
    rejectKind: integrations.rejectKind,
    rotateSecrets: integrations.rotateSecrets,
    toggleIntegration: integrations.toggleIntegration,
  },
  library: {
    createCollection: library.createCollection,
    createTheme: library.createTheme,
    deleteCollection: library.deleteCollection,
    deleteTheme: library.deleteTheme,
    editCollection: library.editCollection,
    editTheme: library.editTheme,
    getCollection: library.getCollection,
    listCollections: library.listCollections,
    listThemes: library.listThemes,
  },
  notifications: {
    deleteNotification: notifications.deleteNotification,
    listNotifications: notifications.listNotifications,
    markNotificationsRead: notifications.markNotificationsRead,
    notificationsTag: notifications.notificationsTag,
  },
  objects: {
    addFiles: objects.addFiles,
    addLink: objects.addLink,
    addNote: objects.addNote,
    categorizeObject: objects.categorizeObject,
    updateMany: objects.updateMany,
    resolveSuggestion: objects.resolveSuggestion,
    deleteObject: objects.deleteObject,
    discardFiles: objects.discardFiles,
    editObject: objects.editObject,
    emptyTrash: objects.emptyTrash,
    getObject: objects.getObject,
    listObjects: objects.listObjects,
    listVersions: objects.listVersions,
    moveObject: objects.moveObject,
    drainFile: objects.drainFile,
    readContent: objects.readContent,
    readThumbnail: objects.readThumbnail,
    receiveFile: objects.receiveFile,
    restoreObject: objects.restoreObject,
    restoreVersion: objects.restoreVersion,
    saveFile: objects.saveFile,
    saveText: objects.saveText,
  },
  office: {
    officeConfig: office.officeConfig,
    officeSelftest: office.officeSelftest,
    openCapability: office.openCapability,
    readForEngine: office.readForEngine,
    handleCallback: office.handleCallback,
  },
  organize: {
    getReorganization: organize.getReorganization,
    startReorganization: organize.startReorganization,
    undoReorganization: organize.undoReorganization,
  },
  processing: {
    correctText: processing.correctText,
    dropCorrection: processing.dropCorrection,
    getText: processing.getText,
    reprocessObject: processing.reprocessObject,
  },
  referral: {
    applyReferral: referral.applyReferral,
    getReferral: referral.getReferral,
  },
  idempotency: {
    releaseKey: receipts.releaseKey,
    keyedFingerprint: receipts.keyedFingerprint,
    openKey: receipts.openKey,
    sealResponse: receipts.sealResponse,
  },
  search: { searchObjects: objects.searchObjects },
  settings: { getSettings: settings.getSettings, putSettings: settings.putSettings },
  shares: {
    archiveShared: shares.archiveShared,
    createShare: shares.createShare,
    editShare: shares.editShare,
    getShare: shares.getShare,
    uploadTarget: shares.uploadTarget,
    listShares: shares.listShares,
    previewShared: shares.previewShared,
    readShared: shares.readShared,
    readSharedThumbnail: shares.readSharedThumbnail,
    receivingShared: shares.receivingShared,
    revokeShare: shares.revokeShare,
    shareContents: shares.shareContents,
    unlockShare: shares.unlockShare,
    uploadShared: shares.uploadShared,
    visitShare: shares.visitShare,
  },
  storage: {
    cancelMigration: storage.cancelMigration,
    migrationProgress: storage.migrationProgress,
    startMigration: storage.startMigration,
  },
  usage: { usageOf: usage.usageOf },
  transfer: {
    exportWorkspace: transfer.exportWorkspace,
    importArchive: transfer.importArchive,
    receiveArchive: transfer.receiveArchive,
  },
};

type Modules = typeof modules;
type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (
  i: infer I,
) => void
  ? I
  : never;

type AllDeps = UnionToIntersection<{ [M in keyof Modules]: DepsOf<Modules[M]> }[keyof Modules]>;

/** Everything the core stands on. */
export type CoreDeps = Omit<
  AllDeps & storage.OwnerBlobsDeps,
  'mutex' | 'coalescer' | 'slots' | 'selftestFetches' | 'countCache' | 'blobs' | 'unrecorded'
>;

/** The driving port: everything an adapter may ask of the core. */
export type Core = ReturnType<typeof createCore>;

export function createCore(ports: CoreDeps) {
  const mutex = createKeyedMutex();
  const coalescer = createCoalescer(mutex, ports.scheduler);
  const deps: AllDeps = {
    ...ports,
    mutex,
    coalescer,
    slots: countingSlots(),
    selftestFetches: office.trackSelftestFetches(),
    countCache: storage.createCountCache(ports.clock),
    blobs: storage.ownerBlobs(ports),
  };
  return {
    agent: bind(modules.agent, deps),
    agents: bind(modules.agents, deps),
    background: bind(modules.background, deps),
    bots: bind(modules.bots, deps),
    calendar: bind(modules.calendar, deps),
    conversations: bind(modules.conversations, deps),
    health: bind(modules.health, deps),
    hiddenZone: bind(modules.hiddenZone, deps),
    identity: bind(modules.identity, deps),
    imaging: bind(modules.imaging, deps),
    integrations: bind(modules.integrations, deps),
    library: bind(modules.library, deps),
    notifications: bind(modules.notifications, deps),
    objects: bind(modules.objects, deps),
    office: bind(modules.office, deps),
    organize: bind(modules.organize, deps),
    processing: bind(modules.processing, deps),
    idempotency: bind(modules.idempotency, deps),
    referral: bind(modules.referral, deps),
    search: bind(modules.search, deps),
    settings: bind(modules.settings, deps),
    shares: bind(modules.shares, deps),
    storage: bind(modules.storage, deps),
    usage: bind(modules.usage, deps),
    transfer: bind(modules.transfer, deps),
  };
}
