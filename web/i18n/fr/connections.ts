import type { ConnectionsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('fr');

export const connections: ConnectionsText = {
  kinds: { llm: 'Modèle', s3: 'Votre bucket' },
  notConnected: 'Non connecté.',
  trying: 'Essai en cours, 10 secondes au plus',
  tried: (moment) => `Essai du ${moment}`,
  triedWithKey: (moment, end) => `Essai du ${moment}, avec la clé qui finit par ${end}`,
  off: 'Désactivé.',
  offStays: 'Les paramètres restent enregistrés.',
  switchOff: 'Désactiver',
  switchOn: 'Activer',
  switchedOn: { llm: 'Modèle activé', s3: 'Bucket activé' },
  switchedOff: { llm: 'Modèle désactivé', s3: 'Bucket désactivé' },
  saveAndTry: 'Enregistrer et essayer',
  forget: { llm: 'Oublier le modèle', s3: 'Oublier le bucket' },
  forgetTitle: { llm: 'Oublier le modèle ?', s3: 'Oublier le bucket ?' },
  forgetHint: {
    llm: 'Son adresse et sa clé sont effacées ici. Vos documents restent tels quels.',
    s3: 'Son adresse et ses clés sont effacées ici. Vos fichiers restent auprès du service.',
  },
  forgotten: { llm: 'Le modèle est oublié.', s3: 'Le bucket est oublié.' },
  inUse: (files) =>
    files === 0
      ? 'Le bucket contient des fichiers à vous. Rapatriez-les d’abord, puis il pourra être oublié.'
      : n(files, {
          one: 'Le bucket contient # fichier à vous. Rapatriez-le d’abord, puis le bucket pourra être oublié.',
          many: 'Le bucket contient # de fichiers à vous. Rapatriez-les d’abord, puis il pourra être oublié.',
          other:
            'Le bucket contient # fichiers à vous. Rapatriez-les d’abord, puis il pourra être oublié.',
        }),
  moveAllBack: 'Rapatrier les fichiers',
  fails: { llm: 'Il ne répond pas.', s3: 'Il est inutilisable.' },
  ownMachine:
    '« localhost » désigne la machine, ou le conteneur, sur laquelle ce service fonctionne.',
  privateBefore:
    'Cette adresse se trouve dans un réseau privé. Pour l’autoriser, l’exploitant l’inscrit dans',
  privateAfter: '.',
  codes: {
    in_use:
      'Le bucket contient des fichiers à vous. Rapatriez-les avant d’en connecter un autre ou de l’oublier.',
    already_running: 'Un déplacement de fichiers est déjà en cours.',
    not_configured: 'Plus rien n’est connecté ici.',
  },
  fieldErrors: {
    base_url: 'Saisissez une adresse complète, par exemple http://localhost:11434/v1, sans ? ni #.',
    model: 'Saisissez le nom du modèle, 200 caractères au plus.',
    context_tokens: 'Saisissez un nombre entier de 512 à 2 000 000.',
    temperature: 'Saisissez un nombre de 0 à 2.',
    secret: 'Une clé se compose de lettres latines, de chiffres et de signes, sans espaces.',
    endpoint:
      'Saisissez seulement le protocole, l’hôte et le port, par exemple https://s3.example.net.',
    region: 'Saisissez la région comme votre fournisseur l’écrit, par exemple eu-central-1.',
    bucket: 'Saisissez le nom du bucket : minuscules, chiffres, points et traits d’union.',
    prefix: 'Saisissez des noms séparés par des barres obliques : lettres, chiffres et . _ ~ -',
    access_key_id: 'Saisissez la clé d’accès comme votre fournisseur l’affiche.',
  },
  service: 'Service',
  otherService: 'Un autre',
  address: 'Adresse',
  addressHint:
    'Tout service avec les « chat completions » d’OpenAI. Un autre hôte efface la clé enregistrée.',
  llamaHint:
    'Lancez llama-server avec --port 8081 : son port habituel, 8080, est celui de ce service.',
  model: 'Modèle',
  modelHint:
    'Il répond avec ses propres mots, fait travailler l’agent, décrit ce qui arrive. Sans modèle, les réponses sont des phrases de vos documents.',
  forExample: (name) => `Par exemple ${name}`,
  answers: 'Il répond :',
  notes: {
    no_streaming: 'Il répond sans diffusion : une réponse apparaît une fois complète.',
    no_system_role: 'Il n’a pas de messages système : les règles partent avec le premier message.',
    no_tools: 'Il n’a pas d’outils : l’agent a besoin d’un autre modèle.',
    no_json_mode: 'Il n’a pas de mode JSON : certains de ses résultats peuvent être inutilisables.',
    no_temperature: 'Il n’accepte pas de température : la vôtre n’est pas envoyée.',
    open_reasoning: 'Il raisonne dans le texte : une réponse apparaît quand il a terminé.',
  },
  waitingDocuments: (count: number) =>
    n(count, {
      one: '# document attend : le modèle était occupé. Il sera décrit dès que le modèle répondra.',
      many: '# de documents attendent : le modèle était occupé. Ils seront décrits dès que le modèle répondra.',
      other:
        '# documents attendent : le modèle était occupé. Ils seront décrits dès que le modèle répondra.',
    }),
  contextTokens: 'Capacité, en tokens',
  key: 'Clé',
  stored: (end) => `Enregistrée, finit par ${end}`,
  keyHint:
    'La clé de votre compte chez eux. Elle est enregistrée chiffrée et n’est plus jamais affichée.',
  keyLocalHint:
    'Aucune, sauf si le serveur a été lancé avec une clé. Elle n’est plus jamais affichée.',
  more: 'Autres paramètres',
  temperature: 'Température',
  temperatureHint: 'De 0 à 2. Laissez vide si le modèle la refuse.',
  costsNothing:
    'Il fonctionne dans votre propre réseau : aucun fournisseur ne vous facture. Ce service ne compte pas son usage.',
  costs: (host) =>
    `Le fournisseur ${host} vous facture chaque question et chaque document décrit. Ce service ne connaît pas ses prix et ne compte pas son usage.`,
  operatorAnswers:
    'En attendant, le modèle de l’exploitant répond. Son usage compte dans votre offre :',
  questionsUsed: (used) => `${used} questions ce mois-ci.`,
  questionsOf: (used, limit) => `${used} questions sur ${limit} ce mois-ci.`,
  bucketHint:
    'Les nouveaux fichiers vont dans un bucket à vous, et les anciens peuvent y être déplacés. Sans bucket, les fichiers restent auprès du service.',
  newFilesBefore: 'Les nouveaux fichiers vont dans',
  filesBefore: 'Désactivé :',
  newFilesAfter: (host) => `, chez ${host}.`,
  bucketWorks: 'Un fichier a été écrit, lu et supprimé.',
  bucketSettings: 'Paramètres du bucket',
  endpoint: 'Point d’accès',
  endpointHint: 'Protocole, hôte et port. Un autre efface le secret enregistré.',
  bucket: 'Bucket',
  region: 'Région',
  accessKey: 'Clé d’accès',
  secret: 'Secret',
  secretHint: 'Vide : le secret enregistré reste. Il n’est plus jamais affiché.',
  prefix: 'Dossier dans le bucket',
  prefixHint: 'Peut rester vide. Rien d’autre ne devrait y écrire.',
  pathStyle: 'Le bucket figure',
  pathStyles: {
    auto: 'à l’endroit habituel',
    path: 'dans le chemin',
    host: 'dans le nom d’hôte',
  },
  migration: 'Déplacement des fichiers',
  moving: {
    out: 'Déplacement des fichiers vers le bucket',
    back: 'Rapatriement des fichiers du bucket',
  },
  since: (moment) => `depuis ${moment}`,
  moved: 'déplacés',
  toGo: 'restants',
  didNotGo: 'en échec',
  stop: 'Arrêter après ce fichier',
  stopping: 'S’arrête après ce fichier',
  waits: 'Le déplacement attend et reprendra de lui-même.',
  eachFile:
    'Chaque fichier est copié, comparé, puis seulement retiré de son ancien emplacement. Vous pouvez fermer cette page entre-temps.',
  endedEarly: 'Le déplacement s’est arrêté avant la fin.',
  couldNotGo: (count) =>
    n(count, {
      one: '# fichier n’a pas pu être déplacé après trois essais.',
      many: '# de fichiers n’ont pas pu être déplacés après trois essais.',
      other: '# fichiers n’ont pas pu être déplacés après trois essais.',
    }),
  stayWhole: 'Rien n’est perdu : ce qui reste est intact à son emplacement.',
  tryThemAgain: 'Essayer de nouveau',
  allMoved: {
    out: 'Tous les fichiers sont dans le bucket.',
    back: 'Tous les fichiers sont revenus auprès du service.',
  },
  stopped: 'Le déplacement a été arrêté. Chaque fichier est à son dernier emplacement.',
  noFiles: 'Il n’y a pas encore de fichiers à déplacer.',
  inBucket: 'dans le bucket',
  atService: 'auprès du service',
  storedInAll: (size) => `Votre espace occupe ${size} en tout.`,
  backSwitchesOff: 'Le rapatriement désactive le bucket pour les nouveaux fichiers.',
  moveOut: (count) =>
    n(count, {
      one: 'Déplacer # fichier vers le bucket',
      many: 'Déplacer # de fichiers vers le bucket',
      other: 'Déplacer # fichiers vers le bucket',
    }),
  moveBack: (count) =>
    n(count, {
      one: 'Rapatrier # fichier',
      many: 'Rapatrier # de fichiers',
      other: 'Rapatrier # fichiers',
    }),
  leaves: 'Ce qui quitte cette machine',
  questions: 'Questions et passages',
  toOwnModel: (model, host) => `vers ${model} sur ${host}, dans votre propre réseau`,
  toModel: (model, host) => `vers ${model} chez ${host}`,
  toOperatorModel: 'vers le modèle que l’exploitant a connecté',
  answeredHere: 'vers aucun modèle : les réponses sont faites ici',
  documents: 'Documents, pour être décrits',
  described:
    'vers le même, jusqu’à 10 000 tokens de chacun ; jamais ce qui est masqué ou dans la corbeille',
  describedHere: 'vers aucun modèle : ils sont décrits ici',
  pictures: 'Scans et images',
  readHere: 'vers aucun service : leur texte est lu ici',
  files: 'Fichiers',
  filesTo: (bucket, host) => `vers ${bucket} chez ${host}`,
  filesThere: (count, bucket, host) =>
    n(count, {
      one: `les nouveaux restent auprès de ce service ; # est encore dans ${bucket} chez ${host}`,
      many: `les nouveaux restent auprès de ce service ; # sont encore dans ${bucket} chez ${host}`,
      other: `les nouveaux restent auprès de ce service ; # sont encore dans ${bucket} chez ${host}`,
    }),
  filesStay: 'vers aucun bucket : ils restent auprès de ce service',
  officeFiles: 'Fichiers bureautiques, pendant que vous les modifiez',
  toDocumentServer: 'vers le serveur de documents que l’exploitant a connecté',
  toNoDocumentServer: 'vers aucun serveur de documents : aucun n’est connecté',
  reminders: 'Rappels et messages',
  toTelegram: (bots) => `par Telegram, avec ${bots}`,
  toNoMessenger: 'vers aucune messagerie : aucun bot n’est connecté',
  links: 'Pages des liens que vous ajoutez',
  linksFetched: 'sont récupérées sur le web',
  shared: 'Ce que vous partagez',
  sharedTo: 'est visible pour qui possède le lien',
  nothingElse: 'Rien d’autre',
  appLoadsNothing: 'Cette application ne charge rien d’ailleurs.',
  officeEditor: 'Éditeur',
  officeHint:
    'Textes, tableaux et présentations s’ouvrent dans un éditeur. Ce qu’il enregistre devient une nouvelle version.',
  officeOff: 'Aucun serveur de documents n’est connecté.',
  officeOffMeans:
    'Les fichiers bureautiques s’affichent comme texte, se téléchargent, et reviennent comme nouvelles versions.',
  officeOperator:
    'L’exploitant connecte ONLYOFFICE Docs, ou un serveur avec la même interface, par :',
  officeVariables: {
    OFFICE_URL:
      'l’adresse du serveur de documents, la même pour ce service et pour les navigateurs',
    OFFICE_JWT_SECRET: 'son secret, d’au moins 32 octets',
    OFFICE_ENABLED: 'pas « false »',
  },
  officeWorks: 'L’éditeur fonctionne.',
  officeWorksMeans: 'Choisissez « Modifier » dans un fichier bureautique.',
  officeFails: 'Le serveur de documents ne répond pas.',
  selftest: 'Autotest',
  selftestHint:
    'Le trajet d’un document vers l’éditeur et retour, étape par étape. Il dure moins d’une minute.',
  selftestStart: 'Essayer chaque étape',
  selftestAgain: 'Essayer de nouveau chaque étape',
  selftestRuns: 'Essai de chaque étape, une minute au plus',
  selftestPassed: 'Chaque étape fonctionne.',
  selftestFailed: 'Un document ne passe pas.',
  hopWorks: 'fonctionne',
  hopFails: 'ne fonctionne pas',
  hopNotTried: 'non essayée',
  hops: {
    engine: {
      title: 'Ce service atteint le serveur de documents',
      advice: 'L’exploitant vérifie OFFICE_URL, et si le serveur a fini de démarrer.',
    },
    secret: {
      title: 'Les deux ont le même secret',
      advice: 'OFFICE_JWT_SECRET doit être le JWT_SECRET du serveur de documents.',
    },
    addresses: {
      title: 'Le serveur de documents atteint ce service',
      advice:
        'PUBLIC_URL doit être une adresse que le serveur de documents peut atteindre. Pour une adresse privée, il lui faut ALLOW_PRIVATE_IP_ADDRESS=true.',
    },
  },
};
