import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../hostile/messages.ts';

/** Makes `letter-ru.msg` anew, with the contents of `letter-ru.eml`. Tests do not run it. */
const file = (name: string): Buffer => readFileSync(join(import.meta.dirname, name));
const person = (kind: number, name: string, address: string) => ({
  0x0c15: kind,
  0x3001: name,
  0x3003: address,
  0x39fe: address,
});

const message = messageOf({
  properties: {
    0x1a: 'IPM.Note',
    0x37: 'Протокол собрания и смета',
    0x39: new Date('2025-04-12T15:20:00Z'),
    0x42: 'Елена Круглова',
    0x5d02: 'elena@garden.example',
    0x0c1a: 'Елена Круглова',
    0x5d01: 'elena@garden.example',
    0x1000:
      'Добрый день!\r\n\r\nПосылаю протокол собрания и смету на ремонт водопровода. Оплатить до первого июля.\r\n\r\nЕлена\r\n',
  },
  recipients: [
    person(1, 'Андрей Тихонов', 'andrey@garden.example'),
    person(1, 'board@garden.example', 'board@garden.example'),
    person(2, 'Jörg Müller', 'joerg@garden.example'),
  ],
  attachments: [
    {
      0x3707: 'Протокол собрания.txt',
      0x370e: 'text/plain',
      0x3701: file('../protocol-ru.txt'),
    },
    {
      0x3707: 'plan.ods',
      0x370e: 'application/vnd.oasis.opendocument.spreadsheet',
      0x3701: file('plan.ods'),
    },
  ],
});
writeFileSync(join(import.meta.dirname, 'letter-ru.msg'), message);
