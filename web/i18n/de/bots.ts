import type { BotsText } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('de');

export const bots: BotsText = {
  title: 'Verbundene Bots',
  hint: 'Ein Bot schickt dir Erinnerungen in Telegram und führt die Gruppen auf, in denen er ist, mit den Mitgliedern, die er kennt.',
  none: 'Es ist noch kein Bot verbunden.',
  connect: 'Bot verbinden',
  connectHint:
    'Lege in Telegram bei @BotFather einen Bot an. Gib das Token ein, das du dort bekommst.',
  token: 'Token des Bots',
  badToken: 'Telegram nimmt dieses Token nicht an. Kopiere es noch einmal von @BotFather.',
  connecting: 'Wird verbunden',
  connected: (name) => `${name} ist verbunden.`,
  ofOther: 'Von einer anderen Person dieses Arbeitsbereichs',
  linked: 'Schickt Erinnerungen in deinen Chat mit ihm',
  notLinked: 'Erreicht dich noch nicht',
  states: {
    webhook: 'Bekommt Nachrichten von der Plattform',
    polling: 'Holt seine Nachrichten ab',
    conflict: 'Empfängt keine Nachrichten',
    refused: 'Getrennt',
    unavailable: 'Empfängt keine Nachrichten',
  },
  linkTitle: 'Erinnerungen hier bekommen',
  linkFirst: 'Öffne deinen privaten Chat mit dem Bot und drücke auf Start:',
  linkSecond: 'Oder schicke ihm selbst diese Nachricht:',
  openChat: 'Chat in Telegram öffnen',
  copyMessage: 'Nachricht kopieren',
  copied: 'Kopiert.',
  notCopied: 'Der Browser hat das Kopieren nicht erlaubt. Markiere stattdessen den Text.',
  codeOnce: 'Der Code gilt einmal. Wer ihn hat, kann deine Erinnerungen bekommen.',
  linkOther: 'Einen anderen Chat nehmen',
  groups: 'Gruppen',
  noGroups:
    'Der Bot ist in keiner Gruppe. Füge ihn in Telegram einer hinzu, dann erscheint sie hier.',
  knownOf: (known, total) =>
    plural(total, {
      one: `${known} von # Mitglied bekannt`,
      other: `${known} von # Mitgliedern bekannt`,
    }),
  known: (known) => plural(known, { one: '# bekanntes Mitglied', other: '# bekannte Mitglieder' }),
  heard: (moment) => `letzte Nachricht: ${moment}`,
  notHeard: 'noch keine Nachricht',
  synced: (moment) => `aktualisiert: ${moment}`,
  mayWrite: 'Darf zuerst schreiben',
  mayWriteHint:
    'Ohne diese Erlaubnis schreibt ein Bot nur in eine Gruppe, wenn er angesprochen wird.',
  allowed: (group) => `Der Bot darf in ${group} zuerst schreiben.`,
  forbade: (group) => `Der Bot schreibt in ${group} nicht mehr zuerst.`,
  members: 'Mitglieder',
  hideMembers: 'Mitglieder ausblenden',
  noMembers: 'Der Bot kennt noch kein Mitglied.',
  roles: {
    creator: 'hat die Gruppe gegründet',
    administrator: 'Administration',
    member: 'Mitglied',
    restricted: 'eingeschränkt',
  },
  sources: {
    message: 'aus einer Nachricht bekannt',
    admin_list: 'aus der Liste der Administration bekannt',
    join: 'aus dem Beitritt bekannt',
    member_update: 'aus einer Änderung in der Gruppe bekannt',
  },
  sync: 'Aktualisieren',
  syncing: 'Wird aktualisiert',
  updated: (group) => `${group} ist auf dem neuesten Stand.`,
  more: 'Mehr zeigen',
  folder: 'Ordner der Gruppe',
  remove: 'Entfernen',
  removeTitle: (name) => `${name} entfernen?`,
  removeHint:
    'Der Dienst vergisst Token, Gruppen und Mitglieder und schickt darüber keine Erinnerungen mehr. In Telegram bleibt der Bot bestehen.',
  removeBot: 'Bot entfernen',
  removed: (name) => `${name} ist entfernt.`,
  codes: {
    bot_exists: 'Diesen Bot hat schon eine andere Person verbunden.',
    too_many_bots: 'Mehr Bots sind nicht möglich. Entferne zuerst einen.',
    bot_not_in_chat:
      'Telegram gibt dem Bot keine Auskunft über diese Gruppe. Ist er noch Mitglied?',
    bot_token_rejected:
      'Telegram nimmt das Token dieses Bots nicht mehr an. Verbinde den Bot noch einmal mit seinem neuen Token.',
    upstream_failed: 'Telegram hat die Anfrage abgelehnt. Versuche es später noch einmal.',
    forbidden: 'Das darf nur, wem der Bot gehört.',
  },
};
