import { expect } from 'chai';
import { backends } from '../backends.ts';
import { openAgentWorld, stepsIn } from './agent-fixture.ts';

/** Orders in the words of owners: renaming, a polite renaming, moving, a note and an event, in six languages. */
const ORDERS: Readonly<Record<string, readonly [string, string, string, string, string]>> = {
  en: [
    'Rename Lease.md to Rental.md',
    'Could you please rename Lease.md to Rental.md?',
    'Move Lease.md to Flat',
    'Write a note “buy milk”',
    'Add an event “Dentist” on 2026-01-05 from 09:00 to 10:00',
  ],
  de: [
    'Benenne Lease.md in Rental.md um',
    'Kannst du bitte Lease.md in Rental.md umbenennen?',
    'Verschiebe Lease.md in den Ordner Flat',
    'Schreibe eine Notiz „buy milk“',
    'Trage „Dentist“ am 05.01.2026 von 09:00 bis 10:00 ein',
  ],
  fr: [
    'Renomme Lease.md en Rental.md',
    'Peux-tu renommer Lease.md en Rental.md ?',
    'Déplace Lease.md dans le dossier Flat',
    'Crée une note « buy milk »',
    'Ajoute un événement « Dentist » le 05.01.2026 de 09:00 à 10:00',
  ],
  es: [
    'Renombra Lease.md a Rental.md',
    '¿Puedes renombrar Lease.md a Rental.md?',
    'Mueve Lease.md a la carpeta Flat',
    'Crea una nota «buy milk»',
    'Añade un evento «Dentist» el 05.01.2026 de 09:00 a 10:00',
  ],
  ru: [
    'Переименуй Lease.md в Rental.md',
    'Можешь переименовать Lease.md в Rental.md?',
    'Перемести Lease.md в папку Flat',
    'Создай заметку «buy milk»',
    'Добавь событие «Dentist» 05.01.2026 с 09:00 до 10:00',
  ],
  zh: [
    '把Lease.md重命名为Rental.md',
    '你可以把Lease.md重命名为Rental.md吗？',
    '把Lease.md移动到Flat',
    '写一条笔记“buy milk”',
    '添加日程“Dentist”，2026年1月5日 09:00 到 10:00',
  ],
};

const [memory] = backends;

describe('plain orders of owners', () => {
  for (const [language, orders] of Object.entries(ORDERS))
    for (const [i, order] of orders.entries())
      it(`are done without a question, in ${language}: ${order}`, async () => {
        const backend = await memory![1]();
        try {
          const world = await openAgentWorld(backend, `orders-${language}-${i}`);
          const id = await world.note('The rent is due.', { title: 'Lease' });
          // The name of a folder taints the run, so that the order has to name the change.
          const folder = await world.folder('Flat');
          const rename = ['rename_object', { object_id: id, filename: 'Rental.md' }] as const;
          const change = [
            rename,
            rename,
            ['move_object', { object_id: id, collection_id: folder }] as const,
            ['create_note', { content: 'buy milk' }] as const,
            [
              'create_event',
              { title: 'Dentist', starts_at: '2026-01-05T09:00', ends_at: '2026-01-05T10:00' },
            ] as const,
          ][i]!;
          const look = ['read_object', { object_id: id }] as const;
          const role = i < 3 ? 'librarian' : 'assistant';
          world.replies([look], [change], 'Done.');
          const received = await world.chat(order, { role });
          expect(received.error).to.equal(undefined);
          expect(received.turn?.confirm).to.equal(undefined);
          const done = stepsIn(received).at(-1)!;
          expect(done).to.include({ tool: change[0] }).and.not.have.property('confirmation');
          expect(done['summary']).to.match(/^(?:Renamed|Moved|Wrote|Made) /);
        } finally {
          await backend.close();
        }
      });
});
