import * as agent from './agent/index.ts';
import * as agents from './agents/index.ts';
import * as bots from './bots/index.ts';
import * as calendar from './calendar/index.ts';
import * as changes from './changes/index.ts';
import * as conversations from './conversations/index.ts';
import { bindToFolders, FOLDER_ACCESS, rejectBoundCallers } from './folder-scope/index.ts';
import * as health from './health/index.ts';
import * as hiddenPin from './hidden-pin/index.ts';
import * as hiddenZone from './hidden-zone/index.ts';
import * as identity from './identity/index.ts';
import * as imports from './imports/index.ts';
import * as imaging from './imaging/index.ts';
import * as inbox from './inbox/index.ts';
import * as integrations from './integrations/index.ts';
import * as library from './library/index.ts';
import * as modelPause from './model-pause/index.ts';
import * as notifications from './notifications/index.ts';
import * as objects from './objects/index.ts';
import * as office from './office/index.ts';
import * as operator from './operator/index.ts';
import * as organize from './organize/index.ts';
import * as processing from './processing/index.ts';
import * as receipts from './idempotency/index.ts';
import * as referral from './referral/index.ts';
import * as securityEvents from './security-events/index.ts';
import * as settings from './settings/index.ts';
import * as shares from './shares/index.ts';
import { bind, type DepsOf } from './shared/bind.ts';
import { createCoalescer } from './shared/coalescing.ts';
import { countingSlots } from './shared/slots.ts';
import { createKeyedMutex } from './shared/keyed-mutex.ts';
import * as signIn from './sign-in/index.ts';
import * as storage from './storage/index.ts';
import * as uploads from './uploads/index.ts';
import * as usage from './usage/index.ts';
import * as transfer from './transfer/index.ts';

const modules = {
  agent: {
    agentChat: agent.agentChat,
    confirmAgent: agent.confirmAgent,
    redoAgentStep: agent.redoAgentStep,
    undoAgentStep: agent.undoAgentStep,
  },
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
    expireUploads: uploads.expireUploads,
    keepClaim: processing.keepClaim,
    recordFailedSignIns: signIn.recordFailedSignIns,
    offerDueTasks: processing.offerDueTasks,
    purgeTrash: objects.purgeTrash,
    sendDueReminders: calendar.sendDueReminders,
    runTask: processing.runTask,
    sealStoredHashes: integrations.sealStoredHashes,
    sweepBlobs: processing.sweepBlobs,
    sweepCopies: storage.sweepCopies,
    sweepExpiredAccess: signIn.sweepExpiredAccess,
    sweepExpiredKeys: receipts.sweepExpiredKeys,
    sweepExpiredUndos: agent.sweepExpiredUndos,
    takeInbox: inbox.takeInbox,
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
  changes: { followChanges: changes.followChanges },
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
    lockZone: hiddenPin.lockZone,
    pinState: hiddenPin.pinState,
    removePin: hiddenPin.removePin,
    seesAll: hiddenZone.seesAll,
    setPin: hiddenPin.setPin,
    unlockZone: hiddenPin.unlockZone,
  },
  identity: {
    authenticate: identity.authenticate,
    authorize: identity.authorize,

    countRequest: identity.countRequest,
    createOwner: identity.createOwner,
    createTenant: identity.createTenant,
    createToken: identity.createToken,
    flushLastUse: identity.flushLastUse,
    issueTokenFor: identity.issueTokenFor,
    listOwners: identity.listOwners,
    listTokens: identity.listTokens,
    requireCredential: identity.requireCredential,
    revokeToken: identity.revokeToken,
    revokeTokenByPrefix: identity.revokeTokenByPrefix,
  },
  imaging: {
    imageOperationStatus: imaging.imageOperationStatus,
    requestImageOperation: imaging.requestImageOperation,
  },
  imports: {
    dismissImport: imports.dismissImport,
    getImport: imports.getImport,
    listImports: imports.listImports,
  },
  integrations: {
    checkIntegration: integrations.checkIntegration,
    connectBucket: integrations.connectBucket,
    connectModel: integrations.connectModel,
    countWaitingDocuments: modelPause.countWaitingDocuments,
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
    createView: library.createView,
    deleteCollection: library.deleteCollection,
    deleteTheme: library.deleteTheme,
    deleteView: library.deleteView,
    editCollection: library.editCollection,
    editTheme: library.editTheme,
    editView: library.editView,
    getCollection: library.getCollection,
    listCollections: library.listCollections,
    listThemes: library.listThemes,
    listViews: library.listViews,
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
    getBulkRun: objects.getBulkRun,
    undoBulk: objects.undoBulk,
    updateMany: objects.updateMany,
    updateMatching: objects.updateMatching,
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
    trashRetention: objects.trashRetention,
  },
  office: {
    officeConfig: office.officeConfig,
    officeSelftest: office.officeSelftest,
    openCapability: office.openCapability,
    readForEngine: office.readForEngine,
    handleCallback: office.handleCallback,
  },
  operator: { isOperator: operator.isOperator, operatorState: operator.operatorState },
  organize: {
    applyReorganization: organize.applyReorganization,
    getReorganization: organize.getReorganization,
    listReorganizations: organize.listReorganizations,
    startReorganization: organize.startReorganization,
    undoReorganization: organize.undoReorganization,
  },
  processing: {
    correctText: processing.correctText,
    dropCorrection: processing.dropCorrection,
    getText: processing.getText,
    reprocessObject: processing.reprocessObject,
    textPlaces: processing.textPlaces,
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
  securityEvents: { listSecurityEvents: securityEvents.listSecurityEvents },
  signIn: {
    addPasskey: signIn.addPasskey,
    appUrl: signIn.appUrl,
    beginOidcLink: signIn.beginOidcLink,
    beginOidcSignIn: signIn.beginOidcSignIn,
    beginPasskey: signIn.beginPasskey,
    beginPasskeySignIn: signIn.beginPasskeySignIn,
    createSignInLink: signIn.createSignInLink,
    endSession: signIn.endSession,
    finishOidc: signIn.finishOidc,
    listPasskeys: signIn.listPasskeys,
    listSessions: signIn.listSessions,
    oidcLink: signIn.oidcLink,
    removePasskey: signIn.removePasskey,
    removePassword: signIn.removePassword,
    renamePasskey: signIn.renamePasskey,
    setPassword: signIn.setPassword,
    signInByLink: signIn.signInByLink,
    signInByPassword: signIn.signInByPassword,
    signInMethods: signIn.signInMethods,
    signInWithPasskey: signIn.signInWithPasskey,
    signOut: signIn.signOut,
    endOtherSessions: signIn.endOtherSessions,
    unlinkOidc: signIn.unlinkOidc,
  },
  settings: { getSettings: settings.getSettings, putSettings: settings.putSettings },
  shares: {
    archiveShared: shares.archiveShared,
    createShare: shares.createShare,
    editShare: shares.editShare,
    getShare: shares.getShare,
    uploadTarget: shares.uploadTarget,
    listShares: shares.listShares,
    previewNewShare: shares.previewNewShare,
    previewShared: shares.previewShared,
    readShared: shares.readShared,
    readSharedThumbnail: shares.readSharedThumbnail,
    openUpload: shares.openUpload,
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
  uploads: {
    appendToUpload: uploads.appendToUpload,
    createUpload: uploads.createUpload,
    getUpload: uploads.getUpload,
    maxUploadSize: uploads.maxUploadSize,
    terminateUpload: uploads.terminateUpload,
  },
  usage: { usageOf: usage.usageOf },
  transfer: {
    exportWorkspace: transfer.exportWorkspace,
    discardArchives: transfer.discardArchives,
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
  AllDeps & storage.OwnerBlobsDeps & identity.LastUseDeps,
  | 'mutex'
  | 'lastUse'
  | 'coalescer'
  | 'slots'
  | 'openBodies'
  | 'selftestFetches'
  | 'countCache'
  | 'blobs'
  | 'unrecorded'
  | 'decoyHash'
  | 'failedSignIns'
  | 'recordPending'
  | 'inboxState'
>;

/** The driving port: everything an adapter may ask of the core. */
export type Core = ReturnType<typeof createCore>;

export function createCore(ports: CoreDeps) {
  const mutex = createKeyedMutex();
  const coalescer = createCoalescer(mutex, ports.scheduler);
  const inboxState = new inbox.InboxState();
  const countCache = storage.createCountCache(ports.clock);
  const feed = storage.forgetsCounts(ports.changes, countCache);
  const deps: AllDeps = {
    ...ports,
    inboxState,
    probes: ports.inbox
      ? [...ports.probes, inbox.inboxProbe(ports.inbox, inboxState)]
      : ports.probes,
    uow: bindToFolders(changes.recordChanges(ports.uow, feed), ports.digests),
    mutex,
    coalescer,
    slots: countingSlots(),
    openBodies: new shares.OpenBodies(),
    lastUse: identity.createLastUse(ports),
    selftestFetches: office.trackSelftestFetches(),
    countCache,
    blobs: storage.ownerBlobs(ports),
    decoyHash: signIn.createDecoyHash(ports),
    failedSignIns: signIn.createFailedSignIns(),
    recordPending: (ownerId) => signIn.recordFailedSignInsOf(deps, ownerId),
  };
  return rejectBoundCallers(FOLDER_ACCESS, {
    agent: bind(modules.agent, deps),
    agents: bind(modules.agents, deps),
    background: bind(modules.background, deps),
    bots: bind(modules.bots, deps),
    calendar: bind(modules.calendar, deps),
    changes: bind(modules.changes, deps),
    conversations: bind(modules.conversations, deps),
    health: bind(modules.health, deps),
    hiddenZone: bind(modules.hiddenZone, deps),
    identity: bind(modules.identity, deps),
    imaging: bind(modules.imaging, deps),
    imports: bind(modules.imports, deps),
    integrations: bind(modules.integrations, deps),
    library: bind(modules.library, deps),
    notifications: bind(modules.notifications, deps),
    objects: bind(modules.objects, deps),
    office: bind(modules.office, deps),
    operator: bind(modules.operator, deps),
    organize: bind(modules.organize, deps),
    processing: bind(modules.processing, deps),
    idempotency: bind(modules.idempotency, deps),
    referral: bind(modules.referral, deps),
    search: bind(modules.search, deps),
    securityEvents: bind(modules.securityEvents, deps),
    settings: bind(modules.settings, deps),
    shares: bind(modules.shares, deps),
    signIn: bind(modules.signIn, deps),
    storage: bind(modules.storage, deps),
    uploads: bind(modules.uploads, deps),
    usage: bind(modules.usage, deps),
    transfer: bind(modules.transfer, deps),
  });
}
