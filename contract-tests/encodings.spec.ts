import { expect } from 'chai';
import iconv from 'iconv-lite';
import { decodeText } from '../adapters/extract/readers/decode.ts';
import { sample } from './suites/text-extractor.ts';

/** Bytes as other programs wrote them; the shorter ones in hexadecimal, by GNU iconv. */
const WRITTEN: readonly (readonly [encoding: string, text: string, hex: string])[] = [
  ['windows-1251', 'Молоко', 'cceeebeeeaee'],
  ['koi8-r', 'Молоко', 'edcfcccfcbcf'],
  ['cp866', 'Привет, мир', '8fe0a8a2a5e22c20aca8e0'],
  ['shift_jis', 'こんにちは世界', '82b182f182c982bf82cd90a28a45'],
  ['gb18030', '发票金额一千元', 'b7a2c6b1bdf0b6eed2bbc7a7d4aa'],
  ['big5', '購物清單', 'c1caaaabb24db3e6'],
  ['euc-kr', '안녕하세요', 'bec8b3e7c7cfbcbcbfe4'],
];

/** Texts that byte statistics alone would attribute to another language. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  'windows-1251': [
    'имя;сумма\nИван;12\nМария;13\nАлексей;1500\n',
    'Список покупок\nмолоко\nхлеб\nяйца\n',
    'СЧЁТ НА ОПЛАТУ № 15',
    'ООО «Ромашка»',
    'error: ошибка in line 12\nwarning: предупреждение\n',
    'Київ, вулиця Хрещатик',
  ],
  'koi8-r': [
    'Дата;Сумма;Описание\n01.02.2024;1500,00;Оплата аренды\n',
    'Список покупок: молоко, хлеб, яйца',
    'Иван Петров',
  ],
  cp866: [
    'Это старый файл из DOS.',
    '┌────┬───┐\n│Имя │Год│\n├────┼───┤\n│Иван│ 12│\n└────┴───┘\n',
  ],
  shift_jis: ['日付,金額\n2024/01/05,1200\n', '買い物リスト: 牛乳、パン', '請求書'],
  'euc-jp': ['日付,金額\n2024/01/05,1200\n', 'こんにちは'],
  gb18030: ['购物清单', '会议记录', '日期,金额\n2024-01-05,1200\n'],
  big5: ['發票金額', '會議記錄\n牛奶、麵包'],
  'euc-kr': ['쇼핑 목록: 우유, 빵, 계란', '날짜,금액\n2024-01-05,1200\n'],
  'windows-1250': ['Zażółć gęślą jaźń', 'Příliš žluťoučký kůň', 'Łódź'],
  'iso-8859-2': ['Zażółć gęślą jaźń'],
  'windows-1252': [
    'Müller',
    'café',
    'Total: 12 €',
    '20°C',
    'Je vais à Paris',
    'GRÜNE STRASSE ÖFFNUNG',
    'Name;Ort\nMüller;Köln\nJäger;Düsseldorf\n',
    '“Hello” – he said… it’s fine',
    'Nadie será',
    'Ærøskøbing',
  ],
  'windows-1253': ['Καλημέρα κόσμε'],
  'windows-1254': ['İstanbul’da güneşli bir gün'],
  'windows-1255': ['שלום עולם'],
  'windows-1256': ['مرحبا بالعالم'],
  'windows-874': ['สวัสดีชาวโลก'],
};

/** Three sentences a language; the matrix cuts pieces of many lengths out of them. */
const PROSE: Readonly<Record<string, readonly [text: string, ...encodings: string[]]>> = {
  de: [
    'Die Mieterin übergibt die Schlüssel am Ende des Monats, nachdem alle Räume gestrichen und gründlich geputzt worden sind. Für größere Schäden haftet sie selbst, für gewöhnliche Abnutzung nicht. Später eingehende Rechnungen über Wärme und Wasser werden zur Hälfte geteilt.',
    'windows-1252',
  ],
  fr: [
    'Le trésorier a présenté les comptes de l’année passée, qui ont été approuvés à l’unanimité. La réparation du clocher coûtera près de trente mille euros, dont la moitié sera prise en charge par la région. Les bénévoles se réuniront après Pâques à la mairie.',
    'windows-1252',
  ],
  pl: [
    'Zarząd spółdzielni przedstawił roczne sprawozdanie, które zostało przyjęte większością głosów. Remont dachu rozpocznie się wiosną i będzie kosztować więcej, niż zakładano. Mieszkańcy proszeni są o opłacenie zaległych składek do końca miesiąca.',
    'windows-1250',
    'iso-8859-2',
  ],
  ru: [
    'Труба, проложенная много лет назад, проржавела на участке от колодца до третьей улицы, и каждую весну её приходится заваривать заново. Собрание решило заменить весь участок до начала сезона. Деньги соберут поровну со всех членов товарищества.',
    'windows-1251',
    'koi8-r',
    'cp866',
    'iso-8859-5',
  ],
  el: [
    'Το συμβούλιο ενέκρινε τον προϋπολογισμό της επόμενης χρονιάς χωρίς αντιρρήσεις. Η επισκευή της στέγης θα ξεκινήσει την άνοιξη και θα διαρκέσει τρεις μήνες. Οι κάτοικοι καλούνται να πληρώσουν τις εισφορές τους εγκαίρως.',
    'windows-1253',
    'iso-8859-7',
  ],
  ja: [
    '理事会は来年度の予算を全会一致で承認した。屋根の修理は春に始まり、三か月ほどかかる見込みである。住民の皆さんには会費を月末までに納めるようお願いする。また、古い水道管は夏までに取り替える予定だ。',
    'shift_jis',
    'euc-jp',
  ],
  zh: [
    '理事会一致通过了明年的预算。屋顶的修理将在春天开始，大约需要三个月的时间。请各位住户在月底之前交齐会费。另外，旧的水管计划在夏天之前全部更换，费用由大家平均分担。',
    'gb18030',
  ],
  zhHant: [
    '理事會一致通過了明年的預算。屋頂的修理將在春天開始，大約需要三個月的時間。請各位住戶在月底之前交齊會費。另外，舊的水管計劃在夏天之前全部更換，費用由大家平均分擔。',
    'big5',
  ],
  ko: [
    '이사회는 내년 예산을 만장일치로 승인했다. 지붕 수리는 봄에 시작하여 석 달쯤 걸릴 것으로 보인다. 주민 여러분은 월말까지 회비를 내 주시기 바란다. 낡은 수도관은 여름이 오기 전에 모두 바꿀 예정이다.',
    'euc-kr',
  ],
};

describe('pre-Unicode charsets', () => {
  it('are detected in a few words', async () => {
    for (const [encoding, text, hex] of WRITTEN)
      expect(await decodeText(Buffer.from(hex, 'hex')), encoding).to.equal(text);
    for (const [encoding, texts] of Object.entries(SHORT))
      for (const text of texts)
        expect(await decodeText(iconv.encode(text, encoding)), encoding).to.equal(text);
  });

  it('are detected in excerpts of any length, nearly always in ten letters and always in fifty', async () => {
    const missed: string[] = [];
    let short = 0;
    for (const [text, ...encodings] of Object.values(PROSE))
      for (const encoding of encodings)
        for (const length of [10, 20, 50, 100, 300, 2000]) {
          const whole = length > text.length ? text.repeat(Math.ceil(length / text.length)) : text;
          for (let at = 0; at + length <= whole.length; at += Math.max(17, length)) {
            const bytes = iconv.encode(whole.slice(at, at + length), encoding);
            if (length < 50) short++;
            if ((await decodeText(bytes)) !== iconv.decode(bytes, encoding))
              missed.push(`${encoding} ${length}: ${whole.slice(at, at + length)}`);
          }
        }
    const long = missed.filter((what) => !/ [12]0: /.test(what));
    expect(long).to.deep.equal([]);
    expect(missed.length, missed.join('\n')).to.be.below(short / 20);
  });

  it('are not detected in slightly damaged UTF-8', async () => {
    const text = sample('protocol-ru.txt');
    const damaged = Buffer.concat([text.subarray(0, 11), Buffer.from([0xff]), text.subarray(11)]);
    expect(await decodeText(damaged)).to.include('садового товарищества');
  });
});
