import type { ConnectionsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const n = pluralOf('de');

export const connections: ConnectionsText = {
  kinds: { llm: 'Modell', s3: 'Eigener Bucket' },
  notConnected: 'Nicht verbunden.',
  trying: 'Wird geprüft, höchstens 10 Sekunden',
  tried: (moment) => `Geprüft: ${moment}`,
  triedWithKey: (moment, end) => `Geprüft: ${moment}, mit dem Schlüssel, der auf ${end} endet`,
  off: 'Ausgeschaltet.',
  offStays: 'Die Einstellungen bleiben gespeichert.',
  switchOff: 'Ausschalten',
  switchOn: 'Einschalten',
  switchedOn: { llm: 'Modell eingeschaltet', s3: 'Bucket eingeschaltet' },
  switchedOff: { llm: 'Modell ausgeschaltet', s3: 'Bucket ausgeschaltet' },
  saveAndTry: 'Speichern und prüfen',
  forget: { llm: 'Modell vergessen', s3: 'Bucket vergessen' },
  forgetTitle: { llm: 'Modell vergessen?', s3: 'Bucket vergessen?' },
  forgetHint: {
    llm: 'Seine Adresse und sein Schlüssel werden hier gelöscht. Deine Dokumente bleiben, wie sie sind.',
    s3: 'Seine Adresse und seine Schlüssel werden hier gelöscht. Deine Dateien bleiben beim Dienst.',
  },
  forgotten: { llm: 'Das Modell ist vergessen.', s3: 'Der Bucket ist vergessen.' },
  inUse: (files) =>
    files === 0
      ? 'Im Bucket liegen Dateien von dir. Hole sie erst zurück, dann kann er vergessen werden.'
      : n(files, {
          one: 'Im Bucket liegt # Datei von dir. Hole sie erst zurück, dann kann er vergessen werden.',
          other:
            'Im Bucket liegen # Dateien von dir. Hole sie erst zurück, dann kann er vergessen werden.',
        }),
  moveAllBack: 'Dateien zurückholen',
  fails: { llm: 'Es antwortet nicht.', s3: 'Er lässt sich nicht benutzen.' },
  ownMachine: '„localhost“ ist der Rechner oder der Container, in dem dieser Dienst läuft.',
  privateBefore:
    'Diese Adresse liegt in einem privaten Netz. Um sie zu erlauben, trägt der Betreiber sie ein in',
  privateAfter: '.',
  codes: {
    in_use:
      'Im Bucket liegen Dateien von dir. Hole sie zurück, bevor du einen anderen verbindest oder ihn vergisst.',
    already_running: 'Dateien werden bereits verschoben.',
    not_configured: 'Hier ist nichts mehr verbunden.',
  },
  fieldErrors: {
    base_url: 'Gib eine ganze Adresse ein, etwa http://localhost:11434/v1, ohne ? und #.',
    model: 'Gib den Namen des Modells ein, höchstens 200 Zeichen.',
    context_tokens: 'Gib eine ganze Zahl von 512 bis 2.000.000 ein.',
    temperature: 'Gib eine Zahl von 0 bis 2 ein.',
    secret: 'Ein Schlüssel hat lateinische Buchstaben, Ziffern und Zeichen, keine Leerzeichen.',
    endpoint: 'Gib nur Schema, Host und Port ein, etwa https://s3.example.net.',
    region: 'Gib die Region ein, wie dein Anbieter sie schreibt, etwa eu-central-1.',
    bucket: 'Gib den Namen des Buckets ein: kleine Buchstaben, Ziffern, Punkte und Bindestriche.',
    prefix: 'Gib Namen ein, mit Schrägstrichen verbunden: Buchstaben, Ziffern und . _ ~ -',
    access_key_id: 'Gib den Zugangsschlüssel ein, wie dein Anbieter ihn zeigt.',
  },
  service: 'Dienst',
  otherService: 'Ein anderer',
  address: 'Adresse',
  addressHint:
    'Jeder Dienst mit Chat Completions wie bei OpenAI. Bei einem anderen Host wird der gespeicherte Schlüssel gelöscht.',
  llamaHint:
    'Starte llama-server mit --port 8081: Sein üblicher Port 8080 ist der dieses Dienstes.',
  model: 'Modell',
  modelHint:
    'Antwortet in eigenen Worten, führt Aufträge aus, beschreibt, was dazukommt. Ohne Modell sind Antworten Sätze aus deinen Dokumenten.',
  forExample: (name) => `Zum Beispiel ${name}`,
  answers: 'Es antwortet:',
  notes: {
    no_streaming: 'Es antwortet ohne Streaming: Eine Antwort erscheint, wenn sie vollständig ist.',
    no_system_role: 'Es kennt keine Systemnachrichten: Die Regeln gehen mit der ersten Nachricht.',
    no_tools: 'Es kennt keine Werkzeuge: Der Agent braucht ein anderes Modell.',
    no_json_mode: 'Es hat keinen JSON-Modus: Manche seiner Ergebnisse sind vielleicht unbrauchbar.',
    no_temperature: 'Es nimmt keine Temperatur an: Deine wird nicht gesendet.',
    open_reasoning: 'Es denkt im Text nach: Eine Antwort erscheint, wenn es damit fertig ist.',
  },
  waitingDocuments: (count: number) =>
    n(count, {
      one: '# Dokument wartet: Das Modell war ausgelastet. Es wird beschrieben, sobald das Modell antwortet.',
      other:
        '# Dokumente warten: Das Modell war ausgelastet. Sie werden beschrieben, sobald das Modell antwortet.',
    }),
  contextTokens: 'Fasst auf einmal, in Tokens',
  key: 'Schlüssel',
  stored: (end) => `Gespeichert, endet auf ${end}`,
  keyHint:
    'Der Schlüssel deines Kontos dort. Er wird verschlüsselt gespeichert und nie wieder angezeigt.',
  keyLocalHint: 'Keiner, außer der Server wurde mit einem gestartet. Er wird nie wieder angezeigt.',
  more: 'Weitere Einstellungen',
  temperature: 'Temperatur',
  temperatureHint: 'Von 0 bis 2. Lass das Feld leer, wenn das Modell sie ablehnt.',
  costsNothing:
    'Es läuft in deinem eigenen Netz, also stellt dir kein Anbieter etwas in Rechnung. Dieser Dienst zählt die Nutzung nicht.',
  costs: (host) =>
    `Der Anbieter unter ${host} berechnet dir jede Frage und jedes Dokument, das er beschreibt. Dieser Dienst kennt seine Preise nicht und zählt die Nutzung nicht.`,
  operatorAnswers:
    'Bis dahin antwortet das Modell des Betreibers. Seine Nutzung zählt zu deinem Tarif:',
  questionsUsed: (used) => `${used} Fragen in diesem Monat.`,
  questionsOf: (used, limit) => `${used} von ${limit} Fragen in diesem Monat.`,
  bucketHint:
    'Neue Dateien kommen in einen Bucket von dir, frühere lassen sich dorthin verschieben. Ohne Bucket bleiben Dateien beim Dienst.',
  newFilesBefore: 'Neue Dateien kommen nach',
  filesBefore: 'Ausgeschaltet:',
  newFilesAfter: (host) => ` bei ${host}.`,
  bucketWorks: 'Eine Datei wurde geschrieben, gelesen und gelöscht.',
  bucketSettings: 'Einstellungen des Buckets',
  endpoint: 'Endpunkt',
  endpointHint:
    'Schema, Host und Port. Bei einem anderen wird das gespeicherte Geheimnis gelöscht.',
  bucket: 'Bucket',
  region: 'Region',
  accessKey: 'Zugangsschlüssel',
  secret: 'Geheimnis',
  secretHint: 'Leer: Das gespeicherte bleibt. Es wird nie wieder angezeigt.',
  prefix: 'Ordner im Bucket',
  prefixHint: 'Darf leer sein. Nichts anderes sollte dort schreiben.',
  pathStyle: 'Der Bucket steht',
  pathStyles: { auto: 'wo er üblicherweise steht', path: 'im Pfad', host: 'im Hostnamen' },
  migration: 'Dateien verschieben',
  moving: {
    out: 'Dateien werden in den Bucket verschoben',
    back: 'Dateien werden aus dem Bucket zurückgeholt',
  },
  since: (moment) => `seit ${moment}`,
  moved: 'verschoben',
  toGo: 'noch zu verschieben',
  didNotGo: 'nicht verschoben',
  stop: 'Nach dieser Datei anhalten',
  stopping: 'Hält nach dieser Datei an',
  waits: 'Es wartet und geht von selbst weiter.',
  eachFile:
    'Jede Datei wird kopiert, verglichen und erst dann am alten Ort entfernt. Du kannst diese Seite währenddessen schließen.',
  endedEarly: 'Das Verschieben endete vorzeitig.',
  couldNotGo: (count) =>
    n(count, {
      one: '# Datei ließ sich nach drei Versuchen nicht verschieben.',
      other: '# Dateien ließen sich nach drei Versuchen nicht verschieben.',
    }),
  stayWhole: 'Was nicht verschoben wurde, bleibt unversehrt, wo es ist.',
  tryThemAgain: 'Noch einmal versuchen',
  allMoved: {
    out: 'Alle Dateien sind im Bucket.',
    back: 'Alle Dateien sind wieder beim Dienst.',
  },
  stopped: 'Das Verschieben wurde angehalten. Jede Datei ist, wo sie zuletzt war.',
  noFiles: 'Es gibt noch keine Dateien zum Verschieben.',
  inBucket: 'im Bucket',
  atService: 'beim Dienst',
  storedInAll: (size) => `Dein Arbeitsbereich umfasst insgesamt ${size}.`,
  backSwitchesOff: 'Das Zurückholen schaltet den Bucket für neue Dateien aus.',
  moveOut: (count) =>
    n(count, {
      one: '# Datei in den Bucket verschieben',
      other: '# Dateien in den Bucket verschieben',
    }),
  moveBack: (count) => n(count, { one: '# Datei zurückholen', other: '# Dateien zurückholen' }),
  leaves: 'Was diesen Rechner verlässt',
  questions: 'Fragen und Textstellen',
  toOwnModel: (model, host) => `an ${model} bei ${host}, in deinem eigenen Netz`,
  toModel: (model, host) => `an ${model} bei ${host}`,
  toOperatorModel: 'an das Modell, das der Betreiber verbunden hat',
  answeredHere: 'an kein Modell: Antworten entstehen hier',
  documents: 'Dokumente, um beschrieben zu werden',
  described:
    'an dasselbe, bis zu 10.000 Tokens von jedem; nie, was verborgen oder im Papierkorb ist',
  describedHere: 'an kein Modell: Sie werden hier beschrieben',
  pictures: 'Scans und Bilder',
  readHere: 'an keinen Dienst: Ihr Text wird hier gelesen',
  files: 'Dateien',
  filesTo: (bucket, host) => `nach ${bucket} bei ${host}`,
  filesThere: (count, bucket, host) =>
    n(count, {
      one: `neue bleiben bei diesem Dienst; # ist noch in ${bucket} bei ${host}`,
      other: `neue bleiben bei diesem Dienst; # sind noch in ${bucket} bei ${host}`,
    }),
  filesStay: 'in keinen Bucket: Sie bleiben bei diesem Dienst',
  officeFiles: 'Office-Dateien, während du sie bearbeitest',
  toDocumentServer: 'an den Dokumentenserver, den der Betreiber verbunden hat',
  toNoDocumentServer: 'an keinen Dokumentenserver: Es ist keiner verbunden',
  reminders: 'Erinnerungen und Nachrichten',
  toTelegram: (bots) => `über Telegram, mit ${bots}`,
  toNoMessenger: 'an keinen Messenger: Es ist kein Bot verbunden',
  links: 'Seiten von Links, die du hinzufügst',
  linksFetched: 'werden aus dem Netz geholt',
  shared: 'Was du freigibst',
  sharedTo: 'sehen die, die den Link haben',
  nothingElse: 'Sonst nichts',
  appLoadsNothing: 'Diese App lädt nichts von anderswo.',
  officeEditor: 'Editor',
  officeHint:
    'Texte, Tabellen und Präsentationen öffnen sich in einem Editor. Was er speichert, wird eine neue Version.',
  officeOff: 'Es ist kein Dokumentenserver verbunden.',
  officeOffMeans:
    'Office-Dateien werden als Text gezeigt, lassen sich herunterladen und kommen als neue Versionen zurück.',
  officeOperator:
    'Der Betreiber verbindet ONLYOFFICE Docs oder einen Server mit derselben Schnittstelle über:',
  officeVariables: {
    OFFICE_URL: 'die Adresse des Dokumentenservers, dieselbe für diesen Dienst und für Browser',
    OFFICE_JWT_SECRET: 'sein Geheimnis, mindestens 32 Byte',
    OFFICE_ENABLED: 'nicht „false“',
  },
  officeWorks: 'Der Editor funktioniert.',
  officeWorksMeans: 'Wähle in einer Office-Datei „Bearbeiten“.',
  officeFails: 'Der Dokumentenserver antwortet nicht.',
  selftest: 'Selbsttest',
  selftestHint:
    'Der Weg eines Dokuments zum Editor und zurück, Schritt für Schritt. Er dauert weniger als eine Minute.',
  selftestStart: 'Jeden Schritt prüfen',
  selftestAgain: 'Jeden Schritt noch einmal prüfen',
  selftestRuns: 'Jeder Schritt wird geprüft, höchstens eine Minute',
  selftestPassed: 'Jeder Schritt funktioniert.',
  selftestFailed: 'Ein Dokument kommt nicht durch.',
  hopWorks: 'funktioniert',
  hopFails: 'funktioniert nicht',
  hopNotTried: 'nicht geprüft',
  hops: {
    engine: {
      title: 'Dieser Dienst erreicht den Dokumentenserver',
      advice: 'Der Betreiber prüft OFFICE_URL, und ob der Server schon ganz gestartet ist.',
    },
    secret: {
      title: 'Beide haben dasselbe Geheimnis',
      advice: 'OFFICE_JWT_SECRET muss das JWT_SECRET des Dokumentenservers sein.',
    },
    addresses: {
      title: 'Der Dokumentenserver erreicht diesen Dienst',
      advice:
        'PUBLIC_URL muss eine Adresse sein, die der Dokumentenserver erreicht. Für eine private braucht er ALLOW_PRIVATE_IP_ADDRESS=true.',
    },
  },
};
