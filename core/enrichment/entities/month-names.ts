/** Month names by number, in all common forms, without accents; a dot may follow the abbreviated ones. */
const NAMES: readonly string[] = [
  'january jan januar janner janvier janv enero ene января январь январе янв',
  'february feb februar fevrier fevr febrero февраля февраль феврале фев февр',
  'march mar marz maerz mars marzo марта март марте мар',
  'april apr avril avr abril abr апреля апрель апреле апр',
  'may mai mayo мая май мае',
  'june jun juni juin junio июня июнь июне июн',
  'july jul juli juillet juil julio июля июль июле июл',
  'august aug aout agosto ago августа август августе авг',
  'september sep sept septembre septiembre set сентября сентябрь сентябре сен сент',
  'october oct oktober okt octobre octubre октября октябрь октябре окт',
  'november nov novembre noviembre ноября ноябрь ноябре ноя нояб',
  'december dec dezember dez decembre diciembre dic декабря декабрь декабре дек',
];

const ACCENTED = ['jänner', 'février', 'févr', 'märz', 'août', 'décembre', 'déc'];

const NUMBERS = new Map(NAMES.flatMap((names, i) => names.split(' ').map((name) => [name, i + 1])));

const plain = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u0305\u0307-\u036f]/g, '')
    .normalize('NFC');

/** 1 to 12, or undefined for any other word. */
export const monthOf = (name: string): number | undefined => NUMBERS.get(plain(name));

/** Longer names first, for a case-insensitive pattern. */
export const MONTH = [...NUMBERS.keys(), ...ACCENTED].sort((a, b) => b.length - a.length).join('|');
