import { withoutAccents } from '../../text/index.ts';
import { GIVEN_NAMES } from './given-names.ts';
import { all, overlapsAny, type Found } from './spans.ts';

const S = String.raw`[ \t\u00a0]`;
const CAPITAL = String.raw`\p{Lu}[\p{Ll}’'\u0301]{1,24}(?:-\p{Lu}[\p{Ll}’']{1,24})?`;
const PARTICLE = `(?:von|van|de|da|di|del|de la|der|den|zu|le|la|bin|al|ter|dos|du)`;
const SURNAME = `(?:${PARTICLE}${S}){0,2}(?:Mc|Mac|O['’]|D['’])?${CAPITAL}`;
const INITIAL = String.raw`\p{Lu}\.`;
const START = String.raw`(?<![\p{L}\p{N}.@/-])`;
const END = String.raw`(?![\p{L}\p{N}])`;
const make = (body: string): RegExp => new RegExp(`${START}(?:${body})`, 'gu');

const TITLE = String.raw`(?:Mrs?|Ms|Miss|Dr|Prof|Sir|Dame|Rev|Hon|Sr|Sra|Srta|Dipl|M|Mme|Mlle|Maître|Herrn?|Frau|Monsieur|Madame|Mademoiselle|Señor|Señora|Don|Doña|Professor|Doctor|[Гг]-н|[Гг]-жа|[Гг]осподин|[Гг]оспожа|[Пп]роф|[Дд]октор|[Гг]ражданин|[Гг]ражданка)\.?`;
const TITLED = make(
  `${TITLE}${S}{1,2}(?:${TITLE}${S}{1,2})?(?<name>(?:(?:${INITIAL}|${CAPITAL})${S}?){0,2}${SURNAME})${END}`,
);
/** Иванов Иван Иванович, Анна Петровна Белова, in any grammatical case. */
const PATRONYMIC = String.raw`\p{Lu}\p{Ll}{2,16}(?:ович|евич|ич|ович[ауем]|евич[ауем]|ичом|овичем|овна|евна|ична|инична|овн[ыеу]|евн[ыеу]|овной|евной)`;
const RUSSIAN_FULL = make(
  `(?<name>(?:${CAPITAL}${S})?${CAPITAL}${S}${PATRONYMIC}(?:${S}${CAPITAL})?)${END}`,
);
const RUSSIAN_INITIALS = make(
  String.raw`(?<name>\p{Script=Cyrillic}\p{Ll}{1,24}(?:-\p{Lu}\p{Ll}{1,24})?${S}\p{Script=Cyrillic}\.${S}?\p{Script=Cyrillic}\.|(?=\p{Lu})\p{Script=Cyrillic}\.${S}?(?=\p{Lu})\p{Script=Cyrillic}\.${S}?(?=\p{Lu})\p{Script=Cyrillic}\p{Ll}{2,24})(?!\p{L})`,
);
const PAIR = make(
  `(?<name>(?<given>\\p{Lu}\\p{Ll}{1,20}(?:-\\p{Lu}\\p{Ll}{1,20})?)${S}(?:${INITIAL}${S}|${CAPITAL}${S})?${SURNAME})${END}`,
);
const CHINESE_LABEL =
  /(?:姓名|联系人|负责人|法定代表人)[:：]\s?(?<name>\p{Script=Han}{2,4})(?!\p{Script=Han})/gu;

/** Words with the beginning or ending of a name that are not names. */
const NO_NAME = new Set(
  `street road avenue lane drive square house hotel hospital school university college bank city county state park
   church club company group team office department street saint st street inc ltd dear sir madam yours kind best regards
   sincerely please thank monday tuesday wednesday thursday friday saturday sunday january february march april may june
   july august september october november december meeting report invoice agreement chapter part section table figure
   улица проспект площадь город область район дом банк школа больница университет федерация россия москва
   general managing executive senior junior head chief director manager president secretary chair teacher engineer`
    .trim()
    .split(/\s+/),
);

/** At the beginning of a sentence a title is capitalised like a name. */
const RANK =
  /^(?:Доктор|Профессор|Директор|Гражданин|Гражданка|Господин|Госпожа|Председатель|Секретарь|Пациент|Больной|Врач|Пассажир)[ \t\u00a0]/u;

const wordsOf = (name: string): readonly string[] =>
  name
    .split(/[\s.]+/)
    .filter((word) => word !== '')
    .map((word) => withoutAccents(word.toLowerCase()));

/**
 * People by title, by patronymic, by initials, and by given name. Precision is preferred over recall: places and
 * companies must not be reported as people.
 */
export function peopleOf(text: string, taken: readonly Found[]): readonly Found[] {
  const found: Found[] = [];
  const add = (pattern: RegExp, accepts: (name: string, given?: string) => boolean): void => {
    for (const { text: complete, start, groups } of all(text, pattern)) {
      const name = (groups['name'] ?? '').trim().replace(RANK, '');
      const at = start + complete.indexOf(name);
      const each = { text: name, start: at, end: at + name.length };
      if (accepts(name, groups['given']) && !overlapsAny(each, taken) && !overlapsAny(each, found))
        found.push(each);
    }
  };
  const plain = (name: string) => !wordsOf(name).some((word) => NO_NAME.has(word));
  add(RUSSIAN_FULL, plain);
  add(RUSSIAN_INITIALS, plain);
  add(TITLED, plain);
  add(PAIR, (name, given = '') => {
    const [first = ''] = given.split('-');
    return GIVEN_NAMES.has(withoutAccents(first.toLowerCase())) && plain(name);
  });
  add(CHINESE_LABEL, () => true);
  return found;
}

const FORM = String.raw`(?:GmbH(?:${S}&${S}Co\.?${S}KGa?A?)?|gGmbH|AG|KGaA|KG|OHG|UG|SE|e\.${S}?V\.|e\.${S}?K\.|LLC|L\.L\.C\.|LLP|LP|PLC|plc|Inc\.?|Incorporated|Corp\.?|Corporation|Ltd\.?|Limited|Pty\.?${S}Ltd\.?|Co\.,?${S}Ltd\.?|S\.A\.S?\.?|SA|SAS|SARL|S\.${S}?L\.(?:U\.)?|S\.${S}?r\.${S}?l\.|S\.p\.A\.|B\.V\.|BV|N\.V\.|Oy|AB|ASA|A\/S|ApS|Sp\.${S}z${S}o\.${S}?o\.)`;
const NAME_PART = String.raw`(?:\p{Lu}[\p{L}\p{N}’'-]{0,30}|\p{N}{1,4}\p{Lu}?|&)`;
const BY_FORM = make(
  `\\p{Lu}[\\p{L}\\p{N}’'-]{0,30}(?:${S}${NAME_PART}){0,5}?,?${S}${FORM}(?![\\p{L}\\p{N}])`,
);
const RUSSIAN_FORM = String.raw`(?:ООО|АО|ПАО|ЗАО|ОАО|НАО|АНО|НКО|ФГБУ|ФГБОУ(?:${S}ВО)?|ФГУП|ГУП|МУП|ГБУЗ|ГБУ|МБОУ|ТСЖ|СНТ|СПАО|ТОО|ЧУП)`;
const RUSSIAN_ORGANIZATION = make(
  String.raw`${RUSSIAN_FORM}${S}{1,2}(?:(?:\p{Lu}\p{Ll}{2,20}${S}){0,2}[«"“„][^«»"“”„\n]{1,80}[»"”“]|\p{Lu}[\p{L}\p{N}-]{1,30})`,
);
const SOLE_TRADER = make(
  String.raw`ИП${S}(?:\p{Lu}\p{Ll}{1,24}${S}\p{Lu}\.${S}?\p{Lu}\.|\p{Lu}\p{Ll}{1,24}(?:${S}\p{Lu}\p{Ll}{1,24}){0,2})`,
);
const INSTITUTION = make(
  `(?:(?:University|Bank|Institute|Ministry|Department|Museum|Royal${S}Bank|Bank)${S}of${S}(?:the${S})?${CAPITAL}(?:${S}(?:and${S})?${CAPITAL}){0,2}|(?!The|An?${S}|Our|Your|This)(?:${CAPITAL}${S}){1,3}(?:University|College|Hospital|Foundation|Institute|Insurance|Bank))${END}`,
);
/** Particles that are attached to a name without a space. */
const CHINESE =
  /(?:(?![向和与的在对由于给是为从])\p{Script=Han}){2,16}(?:股份有限公司|有限责任公司|有限公司|大学|银行|医院)/gu;

/** Organizations by their legal form, or by a word for a kind of organization. */
export function organizationsOf(text: string): readonly Found[] {
  const found: Found[] = [];
  for (const pattern of [BY_FORM, RUSSIAN_ORGANIZATION, SOLE_TRADER, INSTITUTION, CHINESE])
    for (const each of all(text, pattern)) {
      const trimmed = withoutLead(each);
      if (!overlapsAny(trimmed, found)) found.push(trimmed);
    }
  return found;
}

const LEADS =
  /^(?:(?:The|From|To|Between|With|By|Von|An|Bei|Seller|Buyer|Customer|Supplier|Dear|And|Client|Für|Der|Die)[ \t]+)+/u;

/** A word before a company name that is capitalised only as the first of a sentence. */
function withoutLead({ text, start, end }: Found): Found {
  const lead = LEADS.exec(text)?.[0].length ?? 0;
  return { text: text.slice(lead), start: start + lead, end };
}
