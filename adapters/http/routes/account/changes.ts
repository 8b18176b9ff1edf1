import { CHANGE_KINDS } from '../../../../ports/changes.ts';
import { eventsRoute } from '../../route.ts';

const KINDS = CHANGE_KINDS.map((kind) => `\`${kind}\``).join(', ');

export const changeRoutes = [
  eventsRoute({
    method: 'get',
    path: '/v1/changes',
    tag: 'Service',
    name: 'followChanges',
    summary: 'What has changed, as server-sent events',
    description: [
      'Each event is `changed` with `{"kinds": [...], "cursor": "..."}`: what to load again, without any contents.',
      `Kinds: ${KINDS}. There is at most one event a second.`,
      'The first event comes at once: its `kinds` are empty, unless something has changed since `Last-Event-ID`; then they are all kinds.',
      'An id that is not known any more counts as changed. While the hidden zone is locked, changes of hidden objects send no event.',
      'The stream ends after 15 minutes, when the credential or the lock of the hidden zone changes, and when the service stops: connect again with the last id.',
      'After an `error` event with `unavailable`, or 503, changes can not be followed: poll until connecting works again.',
      'Changes are announced right after they are stored. If a process is killed in between, the event is missing: load everything from time to time.',
    ].join(' '),
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['forbidden', 'too_many_streams'],
    reply: { events: 'Events until the stream ends.' },
    run: (core, { caller }, lastEventId, subscriber) =>
      core.changes.followChanges(caller, lastEventId, {
        send: ({ kinds, cursor }) =>
          subscriber.send({ event: 'changed', data: { kinds, cursor }, id: cursor }),
        disconnected: subscriber.disconnected,
      }),
  }),
];
