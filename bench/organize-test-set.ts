import { workspaceOf } from './organize-set.ts';

/**
 * Two test workspaces, written by another author than the planner's and labelled before the first run; no threshold
 * was tuned on them. They revealed that a topic was missed if it contained all objects of a class. That rule was
 * corrected, no number was changed. Remaining errors are left until a rule is found that is correct for other data
 * too.
 */
export const household = workspaceOf(
  [
    {
      name: 'Квартира',
      lines: `*ЖКХ_январь.pdf|Квитанция за коммунальные услуги|invoice pdf ru|отопление, водоснабжение, квартира, начислено|УК «Северная»|Начислено за содержание жилья и отопление за январь
*счётчики.xlsx|Показания счётчиков|spreadsheet spreadsheet ru|счётчик, вода, показания, квартира||Показания счётчиков воды и электричества
*ЕГРН.pdf|Выписка из ЕГРН|certificate pdf ru|недвижимость, собственность, квартира|Росреестр|Сведения об объекте недвижимости и правах на квартиру
ЖКХ_февраль.pdf|Квитанция за коммунальные услуги|invoice pdf ru|отопление, водоснабжение, начислено|УК «Северная»|Начислено за содержание жилья и отопление за февраль
ЖКХ_март.pdf|Квитанция за коммунальные услуги|invoice pdf ru|отопление, водоснабжение, начислено|УК «Северная»|Начислено за содержание жилья за март
протокол_собрания.pdf|Протокол общего собрания собственников|meeting_notes pdf ru|собственники, квартира, кровля, голосование|УК «Северная»|Собственники проголосовали за ремонт кровли`,
    },
    {
      name: 'Car',
      description: 'Skoda: insurance, service, fines',
      lines: `*service-60000.pdf|Service inspection 60 000 km|invoice pdf en|skoda, oil, brakes, filter|AutoHaus Lenz|Oil and filter were replaced, brakes were checked
*insurance-car-2023.pdf|Motor insurance policy|policy pdf en|vehicle, premium, liability, skoda|Allsure Insurance|Third-party liability for a Skoda Octavia
*STS.jpg|Свидетельство о регистрации ТС|certificate image ru|транспортное средство, регистрация, шасси|ГИБДД|Свидетельство о регистрации транспортного средства
service-75000.pdf|Service inspection 75 000 km|invoice pdf en|skoda, oil, brakes, tyres|AutoHaus Lenz|Tyres were changed and the brake fluid was replaced
insurance-car-2024.pdf|Motor insurance policy|policy pdf en|vehicle, premium, liability|Allsure Insurance|The premium of the vehicle is due in March
fine-speeding.pdf|Notice of speeding fine|letter pdf en|vehicle, speed, fine, skoda|City Police|The vehicle was recorded at 62 km/h
осаго.pdf|Полис ОСАГО|policy pdf ru|транспортное средство, страхователь, премия|Ингосстрах|Договор страхования ответственности владельца транспортного средства`,
    },
    {
      name: 'Kids',
      description: 'school, kindergarten, clubs of Mira and Leo',
      lines: `*school-report-mira.pdf|Report card Mira, spring term|report pdf en|school, grades, mathematics|Hillside Primary School|Mira has made good progress in mathematics
*kita-vertrag.pdf|Betreuungsvertrag Kindertagesstätte|contract pdf de|Kita, Betreuung, Leo|Kita Sonnenschein|Vertrag über die Betreuung von Leo
school-trip.docx|Letter to parents: museum trip|letter document en|school, parents, museum, bus|Hillside Primary School|The class will visit the museum of natural history
football-club-leo.pdf|Registration football club|form pdf en|club, training, Leo, parents|SV Rotbach|Registration of Leo for the training on Tuesdays
kita-schliesszeiten.pdf|Schließzeiten der Kita|letter pdf de|Kita, Schließzeiten, Sommer|Kita Sonnenschein|Die Kita bleibt im August geschlossen
mira-homework.jpg|Homework plan Mira|other image en|homework, school, spelling||Spelling and mathematics for the week`,
    },
    {
      name: 'Анализы и врачи',
      theme: 'Здоровье',
      lines: `*кровь_2023.pdf|Общий анализ крови|medical pdf ru|гемоглобин, лейкоциты, кровь|Гемотест|Результаты лабораторного исследования крови
кровь_2024.pdf|Биохимический анализ крови|medical pdf ru|холестерин, глюкоза, кровь|Гемотест|Результаты лабораторного исследования
мрт.pdf|Заключение МРТ коленного сустава|medical pdf ru|мениск, сустав, томография|Клиника «Альфа»|Признаки повреждения мениска
dentist-plan.pdf|Dental treatment plan|medical pdf en|tooth, crown, treatment|Dr. Weiss|Plan for a crown on tooth 36`,
    },
    {
      name: 'Salary',
      theme: 'Money',
      lines: `*payslip_2023_11.pdf|Payslip November 2023|other pdf en|gross, net, deductions, salary|Quantia Software AG|Gross and net salary for November
*payslip_2023_12.pdf|Payslip December 2023|other pdf en|gross, net, deductions, salary|Quantia Software AG|Gross and net salary for December
payslip_2024_01.pdf|Payslip January 2024|other pdf en|gross, net, deductions, salary|Quantia Software AG|Gross and net salary for January
payslip_2024_02.pdf|Payslip February 2024|other pdf en|gross, net, deductions, salary|Quantia Software AG|Gross and net salary for February
bonus-letter.pdf|Bonus 2023|letter pdf en|bonus, gross, salary, performance|Quantia Software AG|Your bonus is paid with the salary of March`,
    },
    {
      name: 'Hiking',
      lines: `*alps-packing.md|Packing list for the Alps|note note en|tent, boots, rucksack, hut||What to pack for a week from hut to hut
*gr20.pdf|GR20 route guide|book pdf en|trail, stage, hut, ridge||Sixteen stages across the mountains of Corsica
dolomites.md|Hut to hut in the Dolomites|note note en|hut, trail, via ferrata, rucksack||Five days on the Alta Via with nights in huts
tent-review.html|Review of ultralight tents|article link en|tent, weight, rucksack, trail||Six ultralight tents compared on the trail
altai.docx|Маршрут по Алтаю|other document ru|маршрут, перевал, палатка, рюкзак||Поход на восемь дней через два перевала`,
    },
    {
      name: 'Bank statements',
      theme: 'Money',
      lines: `*2023-10.pdf|Account statement October|bank_statement pdf en|balance, debit, credit|Fidelis Bank|Opening and closing balance of the account
2023-11.pdf|Account statement November|bank_statement pdf en|balance, debit, credit|Fidelis Bank|Opening and closing balance of the account
vypiska_tinkoff.pdf|Выписка по договору расчётной карты|bank_statement pdf ru|операции, пополнение, остаток|Тинькофф Банк|Движение средств за период`,
    },
  ],
  [
    {
      name: 'Receipts',
      lines: `20240302_receipt.jpg|Receipt|receipt image en|total, cash, change|Corner Store|Thank you for shopping
ikea.pdf|Purchase receipt|receipt pdf en|shelf, total, card|IKEA|Shelf and lamp
чек_озон.pdf|Кассовый чек|receipt pdf ru|приход, итог, ндс|Озон|Кассовый чек за покупку
чек_днс.pdf|Кассовый чек|receipt pdf ru|приход, итог, гарантия|ДНС|Кассовый чек за монитор`,
    },
    {
      name: 'Identity documents',
      lines: `passport-anna.pdf|Passport|id_document pdf en|surname, nationality, expiry||Passport of Anna
снилс.jpg|СНИЛС|id_document image ru|страховое свидетельство||Страховое свидетельство
license.jpg|Driving licence|id_document image en|category, expiry||Driving licence of Anna`,
    },
    {
      name: 'Italian',
      lines: `verbi.md|Verbi irregolari|note note en|italian, verbs, conjugation, irregular||Irregular verbs of Italian with their conjugation
lesson-7.docx|Lesson 7: at the market|other document en|italian, vocabulary, market, dialogue||Vocabulary and a dialogue at the market
congiuntivo.pdf|The subjunctive in Italian|article pdf en|italian, subjunctive, verbs, grammar||When Italian uses the subjunctive
flashcards.csv|Flashcards Italian A2|spreadsheet spreadsheet en|italian, vocabulary, flashcards||Words and their translation
homework-3.txt|Homework lesson 3|other text en|italian, homework, vocabulary||Ten sentences with new vocabulary`,
    },
    {
      name: 'Photos',
      lines: `IMG_9001.jpg||photo image|||
IMG_9002.jpg||photo image|||
P1020031.jpg||photo image|||
WhatsApp Image 2024-01-01.jpg||photo image|||`,
    },
    {
      name: 'Travel',
      lines: `etickets-tbilisi.pdf|Electronic ticket Tbilisi|ticket pdf en|flight, passenger, baggage|Aero Caucasus|Flight from Berlin to Tbilisi
билет_сапсан.pdf|Электронный билет Сапсан|ticket pdf ru|поезд, вагон, место, отправление|РЖД|Москва — Санкт-Петербург
concert.pdf|Ticket: Brahms, Symphony no. 4|ticket pdf en|row, seat, concert|Philharmonie|Row 12 seat 8`,
    },
    {
      name: 'Manuals',
      lines: `bosch-oven.pdf|Oven instruction manual|manual pdf en|oven, grill, timer|Bosch|Before you use the oven for the first time
инструкция_чайник.pdf|Руководство по эксплуатации|manual pdf ru|чайник, эксплуатация|Redmond|Перед использованием прочитайте руководство
router.pdf|Quick start guide|manual pdf en|router, password, network|TP-Link|Connect the router`,
    },
    {
      name: '',
      lines: `scan0001.pdf||other pdf|||
New Document.docx||other document en|||
jokes.txt|Jokes|other text en|rabbit, bar||A rabbit walks into a bar
backup.bin||other other|||`,
    },
  ],
);

/** A small company with papers in German and Chinese. */
export const firm = workspaceOf(
  [
    {
      name: '发票',
      lines: `*fp-001.pdf|增值税电子普通发票|invoice pdf zh|发票, 税额, 购买方|上海博远科技有限公司|购买方名称和纳税人识别号
fp-002.pdf|增值税专用发票|invoice pdf zh|发票, 税额, 销售方|上海博远科技有限公司|价税合计和销售方名称
fp-003.pdf|电子发票|invoice pdf zh|发票, 金额, 办公用品|晨光文具|办公用品一批`,
    },
    {
      name: 'Projekt Falkenhof',
      description: 'Umbau der Scheune',
      lines: `*falkenhof-plan.pdf|Grundriss Scheune Falkenhof|other pdf de|Grundriss, Scheune, Tragwerk|Architekturbüro Seidl|Grundriss des Erdgeschosses der Scheune
*falkenhof-angebot.pdf|Angebot Zimmererarbeiten|other pdf de|Dachstuhl, Scheune, Holz|Zimmerei Brandl|Angebot über den Dachstuhl der Scheune
baubesprechung-3.docx|Baubesprechung Nr. 3|meeting_notes document de|Scheune, Tragwerk, Termin|Architekturbüro Seidl|Der Statiker prüft das Tragwerk der Scheune
statik.pdf|Statische Berechnung|report pdf de|Tragwerk, Dachstuhl, Lasten|Architekturbüro Seidl|Nachweis der Lasten des Dachstuhls
rechnung-zimmerei.pdf|Rechnung Zimmererarbeiten|invoice pdf de|Dachstuhl, Scheune, Abschlag|Zimmerei Brandl|Abschlagsrechnung für den Dachstuhl am Falkenhof`,
    },
    {
      name: 'Verträge',
      lines: `*leasing.pdf|Leasingvertrag Drucker|contract pdf de|Leasing, Laufzeit, Rate|Kopia Leasing GmbH|Leasing eines Druckers über 36 Monate
rahmenvertrag.pdf|Rahmenvertrag Beratung|contract pdf de|Auftraggeber, Vergütung, Laufzeit|Nordlicht Consulting GmbH|Rahmenvertrag über Beratungsleistungen
hetong.pdf|采购合同|contract pdf zh|合同, 甲方, 乙方|上海博远科技有限公司|甲方向乙方采购设备
arbeitsvertrag.docx|Arbeitsvertrag|contract document de|Arbeitnehmer, Urlaub, Kündigung||Unbefristeter Arbeitsvertrag`,
    },
    {
      name: 'Personal',
      description: 'Bewerbungen, Zeugnisse, Urlaub der Mitarbeiter',
      lines: `*urlaubsliste.xlsx|Urlaubsliste 2024|spreadsheet spreadsheet de|Urlaub, Mitarbeiter, Resturlaub||Urlaub der Mitarbeiter
bewerbung-koch.pdf|Bewerbung als Sachbearbeiterin|resume pdf de|Berufserfahrung, Kenntnisse||Lebenslauf von Maria Koch
zeugnis-huber.pdf|Arbeitszeugnis|certificate pdf de|Mitarbeiter, Leistung, Zeugnis||Der Mitarbeiter war stets zuverlässig`,
    },
    {
      name: 'Steuer',
      lines: `*ust-q1.pdf|Umsatzsteuervoranmeldung 1. Quartal|tax pdf de|Umsatzsteuer, Vorsteuer|Finanzamt Rosenheim|Voranmeldung des ersten Quartals
ust-q2.pdf|Umsatzsteuervoranmeldung 2. Quartal|tax pdf de|Umsatzsteuer, Vorsteuer|Finanzamt Rosenheim|Voranmeldung des zweiten Quartals
gewerbesteuer.pdf|Gewerbesteuerbescheid|tax pdf de|Gewerbesteuer, Hebesatz|Stadt Rosenheim|Festsetzung der Gewerbesteuer`,
    },
  ],
  [
    {
      name: 'Berichte',
      lines: `quartal-1.pdf|Quartalsbericht I|report pdf de|Umsatz, Ergebnis, Quartal||Umsatz und Ergebnis des ersten Quartals
quartal-2.pdf|Quartalsbericht II|report pdf de|Umsatz, Ergebnis, Quartal||Umsatz und Ergebnis des zweiten Quartals
markt.pdf|Marktanalyse Holzbau|report pdf de|Holzbau, Markt, Nachfrage||Die Nachfrage nach Holzbau steigt`,
    },
    {
      name: '说明书',
      lines: `shuoming-1.pdf|打印机使用说明书|manual pdf zh|打印机, 墨盒, 安装|惠普|安装墨盒之前请阅读
shuoming-2.pdf|空调安装手册|manual pdf zh|空调, 安装, 遥控器|格力|安装空调的步骤
shuoming-3.pdf|路由器用户手册|manual pdf zh|路由器, 密码, 网络|华为|设置路由器的密码`,
    },
    {
      name: 'Präsentationen',
      lines: `pitch.pptx|Vorstellung der Firma|presentation presentation de|Firma, Team, Referenzen||Wer wir sind
messe.pptx|Messeauftritt 2024|presentation presentation de|Messe, Stand, Kunden||Konzept für den Stand`,
    },
    {
      name: 'Bildschirmfotos',
      lines: `Bildschirmfoto 2024-02-01.png||screenshot image|||
Bildschirmfoto 2024-02-02.png||screenshot image|||`,
    },
    {
      name: '',
      lines: `scan.pdf||other pdf|||
notiz.txt|Telefonnotiz|other text de|Rückruf, Montag||Herr Maier ruft am Montag zurück`,
    },
  ],
);
