import type { Messages } from '../messages.ts';

export const errors: Messages['errors'] = {
  offline: 'Der Dienst ist nicht erreichbar. Prüfe die Verbindung.',
  unknown: 'Etwas ist schiefgegangen.',
  unreadable: 'Die Antwort war nicht lesbar. Versuche es noch einmal.',
  notLoadedTitle: 'Ein Teil der App konnte nicht geladen werden',
  notLoaded: 'Prüfe die Verbindung und lade die Seite neu.',
  codes: {
    not_found: 'Es ist nicht mehr da.',
    forbidden: 'Das ist nicht erlaubt.',
    plan_limit: 'Die Grenze deines Tarifs ist erreicht.',
    rate_limited: 'Zu viele Anfragen. Warte einen Moment.',
    unavailable: 'Der Dienst ist ausgelastet. Versuche es in einigen Sekunden erneut.',
    version_conflict: 'Es wurde inzwischen an anderer Stelle geändert.',
    in_trash: 'Es liegt im Papierkorb.',
    sign_in_failed: 'Der Link ist verbraucht oder abgelaufen, oder die Eingabe ist falsch.',
    sign_in_again: 'Melde dich dafür erst erneut an.',
    last_sign_in: 'Das ist der letzte Weg zur Anmeldung. Füge erst einen anderen hinzu.',
    wrong_password: 'Das aktuelle Passwort ist falsch.',
    passkeys_unavailable:
      'Passkeys brauchen eine Adresse mit Rechnernamen: über https oder auf localhost.',
    passkey_rejected: 'Der Passkey konnte nicht geprüft werden. Beginne von vorn.',
    internal:
      'Der Dienst ist fehlgeschlagen. Wenn es wieder geschieht, gib die Nummer an den Betreiber.',
  },
};
