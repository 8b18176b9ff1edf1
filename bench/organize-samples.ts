import { workspaceOf } from './organize-set.ts';

/** The workspace on which the planner's thresholds were tuned. */
export const chosenBy = workspaceOf(
  [
    {
      name: 'Invoices',
      theme: 'Finance',
      lines: `*INV-2291.pdf|Invoice 2291|invoice pdf en|hosting, server, payment|Northwind Hosting Ltd|Hosting of a virtual server for March
*electricity-march.pdf|Electricity bill March|invoice pdf en|electricity, meter, kWh|Brightwatt Energy|Electricity used in March, due in 14 days
2024-06-telecom.pdf|Mobile phone bill|invoice pdf en|mobile, tariff, roaming|Telvia|Monthly charges of a mobile tariff
rechnung_0815.pdf|Rechnung 0815|invoice pdf de|Webdesign, Stunden, Umsatzsteuer|Pixelwerk GmbH|Gestaltung einer Internetseite
water.pdf|Water invoice Q2|invoice pdf en|water, meter reading|City Waterworks|Water used in the second quarter
счёт-117.pdf|Счёт на оплату № 117|invoice pdf ru|оплата, реквизиты, поставка|ООО «Ромашка»|Счёт за поставку канцелярских товаров
inv_plumber.jpg|Plumber invoice|invoice image en|plumbing, tap, labour|Drips & Sons|Repair of a kitchen tap
domain-renewal.pdf|Domain renewal invoice|invoice pdf en|domain, renewal|Namecellar|Renewal of a domain for a year`,
    },
    {
      name: 'Налоги',
      theme: 'Финансы',
      lines: `*декларация-2022.pdf|Налоговая декларация 3-НДФЛ|tax pdf ru|декларация, доход, вычет|ФНС России|Декларация о доходах за 2022 год
*уведомление.pdf|Налоговое уведомление|tax pdf ru|имущество, транспорт, уплата|ФНС России|Налог на имущество и транспорт
3ndfl_2023.pdf|Декларация 3-НДФЛ за 2023 год|tax pdf ru|доход, вычет, ставка|ФНС России|Доходы и вычеты физического лица
вычет.docx|Заявление на налоговый вычет|tax document ru|вычет, квартира, возврат|ФНС России|Возврат налога при покупке квартиры
tax-return.pdf|Income tax return|tax pdf en|income, deduction, return||Return of income for a year
steuerbescheid.pdf|Einkommensteuerbescheid|tax pdf de|Einkommensteuer, Erstattung|Finanzamt Mitte|Bescheid über die Einkommensteuer`,
    },
    {
      name: 'Travel',
      description: 'Trips, flights, hotels and bookings',
      lines: `*boarding-pass-LIS.pdf|Boarding pass to Lisbon|ticket pdf en|flight, gate, seat|Aerolusa|Flight from Berlin to Lisbon
*hotel-porto.pdf|Hotel booking Porto|other pdf en|hotel, booking, nights|Ribeira Rooms|Two nights in Porto with breakfast
flight-rome.pdf|E-ticket Rome|ticket pdf en|flight, baggage, departure|Volare|Flight from Munich to Rome
bahn.pdf|Fahrkarte Hamburg|ticket pdf de|Zug, Abfahrt, Sitzplatz|Deutsche Bahn|Fahrt von Berlin nach Hamburg
itinerary.docx|Itinerary Italy trip|other document en|itinerary, hotel, museum||Plan of a trip to Rome and Florence
бронь.pdf|Бронирование отеля в Казани|other pdf ru|отель, бронирование, заезд|Отель Волга|Бронирование номера на три ночи
посадочный.pdf|Посадочный талон|ticket pdf ru|рейс, вылет, багаж|Аэрофлот|Рейс Москва — Казань`,
    },
    {
      name: 'Health',
      lines: `*blood-test.pdf|Blood test results|medical pdf en|haemoglobin, laboratory, cholesterol|Lindenlab|Results of a blood test
анализы.pdf|Результаты анализов|medical pdf ru|гемоглобин, лаборатория, кровь|Инвитро|Общий анализ крови
arztbrief.pdf|Arztbrief|medical pdf de|Diagnose, Befund, Therapie|Klinikum Nord|Bericht an den Hausarzt
prescription.jpg|Prescription|medical image en|tablets, dose, pharmacy|Dr. Marsh|Prescription of antibiotics
vaccination.pdf|Vaccination record|medical pdf en|vaccine, dose, date||Vaccinations and their dates`,
    },
    {
      name: 'Договоры',
      description: 'Договоры и соглашения',
      lines: `*аренда.docx|Договор аренды квартиры|contract document ru|аренда, арендодатель, квартира||Аренда квартиры на одиннадцать месяцев
*услуги.docx|Договор оказания услуг|contract document ru|услуги, заказчик, исполнитель|ООО «Вектор»|Услуги по разработке
допсоглашение.pdf|Дополнительное соглашение № 2|contract pdf ru|соглашение, стороны, срок|ООО «Вектор»|Изменение срока договора
nda.pdf|Non-disclosure agreement|contract pdf en|confidential, parties, disclosure|Blue Finch Ltd|Agreement on confidential information
mietvertrag.pdf|Mietvertrag|contract pdf de|Mieter, Vermieter, Kaution||Mietvertrag über eine Wohnung
подряд.docx|Договор подряда|contract document ru|подрядчик, работы, смета|ИП Орлов|Ремонт ванной комнаты`,
    },
    {
      name: 'Project Aurora',
      theme: 'Work',
      lines: `*aurora-kickoff.docx|Aurora kickoff meeting|meeting_notes document en|aurora, kickoff, milestones|Helio Systems|Kickoff of the Aurora telescope control software
*aurora-spec.pdf|Aurora control software specification|report pdf en|aurora, telescope, control|Helio Systems|Requirements of the telescope control software
*aurora-budget.xlsx|Aurora budget|spreadsheet spreadsheet en|aurora, costs, phases|Helio Systems|Costs of the phases of Aurora
aurora-status-4.pdf|Aurora status report 4|report pdf en|aurora, telescope, risk|Helio Systems|Status of the telescope control software
aurora-demo.pptx|Aurora demo|presentation presentation en|aurora, demo, mirror|Helio Systems|Demo of mirror control
retro.md|Retrospective of the Aurora team|meeting_notes text en|aurora, retrospective, milestones||What went well in the Aurora project
telescope-risks.xlsx|Risk list telescope control|spreadsheet spreadsheet en|telescope, control, risk|Helio Systems|Risks of the control software`,
    },
    {
      name: 'Рецепты блюд',
      description: 'Кулинария, выпечка и супы',
      lines: `*борщ.txt|Борщ|other text ru|свёкла, капуста, варить||Рецепт борща со сметаной
*пирог.txt|Яблочный пирог|other text ru|мука, яблоки, духовка||Рецепт пирога с корицей
блины.txt|Тонкие блины на молоке|other text ru|мука, молоко, сковорода, рецепт||Рецепт блинов: мука, яйца, молоко
щи.md|Щи из квашеной капусты|other text ru|капуста, варить, суп||Суп из капусты, варить два часа
кекс.txt|Кекс с изюмом|other text ru|мука, изюм, духовка, выпечка||Выпечка к чаю в духовке`,
    },
    {
      name: 'Flat Lindenstrasse',
      description: 'Everything about the flat we rent',
      lines: `*lease-flat.pdf|Handover protocol Lindenstrasse 12|other pdf en|flat, keys, meter|Hausverwaltung Krause|Handover of the flat in Lindenstrasse
*nebenkosten-2022.pdf|Nebenkostenabrechnung Lindenstraße 12|invoice pdf de|Nebenkosten, Heizung, Wohnung|Hausverwaltung Krause|Abrechnung der Nebenkosten der Wohnung
nebenkosten-2023.pdf|Nebenkostenabrechnung 2023|invoice pdf de|Nebenkosten, Heizung, Wohnung|Hausverwaltung Krause|Abrechnung der Nebenkosten der Wohnung Lindenstraße
heizung.pdf|Schreiben zur Heizung|letter pdf de|Heizung, Wartung, Termin|Hausverwaltung Krause|Wartung der Heizung in der Wohnung
keys.txt|Keys of the flat Lindenstrasse|note note en|keys, flat, cellar||Who has keys of the flat and the cellar`,
    },
    {
      name: 'Taxes 2024',
      theme: 'Finance',
      lines: `*tax-2024-donations.pdf|Donation confirmations 2024|tax pdf en|donation, deduction|Red Cross|Donations for the tax return 2024
tax_2024_prepayment.pdf|Tax prepayment notice 2024|tax pdf en|prepayment, quarter|Finanzamt Mitte|Prepayment of income tax in 2024`,
    },
    {
      name: 'Bank',
      theme: 'Finance',
      lines: `*statement-01.pdf|Account statement January|bank_statement pdf en|balance, transfer|Harbour Bank|Account statement
statement-02.pdf|Account statement February|bank_statement pdf en|balance, transfer|Harbour Bank|Account statement
выписка.pdf|Выписка по счёту|bank_statement pdf ru|остаток, операции|Сбербанк|Операции по счёту за май
kontoauszug-7.pdf|Kontoauszug Juli|bank_statement pdf de|Saldo, Buchung|Sparkasse|Buchungen im Juli`,
    },
  ],
  [
    {
      name: 'Photos',
      lines: `IMG_2041.jpg||photo image|||
IMG_2042.jpg||photo image|||
DSC0091.jpg||photo image|||
beach.heic||photo image|||
кот.jpg||photo image|||`,
    },
    {
      name: 'Screenshots',
      lines: `Screenshot 2024-05-01.png||screenshot image|||
Screenshot 2024-05-02.png||screenshot image|||
Снимок экрана 3.png||screenshot image|||`,
    },
    {
      name: 'Receipts',
      lines: `receipt-grocer.jpg|Grocery receipt|receipt image en|milk, bread, total|Greenmart|Groceries
receipt-books.pdf|Bookshop receipt|receipt pdf en|books, card, total|Page & Co|Two books
чек-аптека.jpg|Чек из аптеки|receipt image ru|итого, касса|Аптека 36|Покупка в аптеке
receipt-shoes.pdf|Receipt for running shoes|receipt pdf en|shoes, size, refund|Fleetfoot|Running shoes
receipt-fuel.jpg|Fuel receipt|receipt image en|petrol, litres|Octan|Petrol`,
    },
    {
      name: 'Identity documents',
      lines: `passport.pdf|Passport|id_document pdf en|passport, nationality||Passport of a person
паспорт.jpg|Паспорт|id_document image ru|паспорт, выдан||Паспорт гражданина
driving-licence.jpg|Driving licence|id_document image en|licence, class B||Driving licence`,
    },
    {
      name: 'Books',
      lines: `dune.epub|Dune|book document en|desert, spice, empire||A novel of a desert planet
walden.epub|Walden|book document en|pond, woods||Life in the woods
мастер.epub|Мастер и Маргарита|book document ru|москва, роман||Роман
refactoring.pdf|Refactoring|book pdf en|code, design||A book on the design of code`,
    },
    {
      name: 'Manuals',
      lines: `dishwasher.pdf|Dishwasher user manual|manual pdf en|programme, detergent, filter|Whitewave|How to use a dishwasher
camera.pdf|Camera manual|manual pdf en|lens, exposure|Optira|How to use a camera
стиралка.pdf|Инструкция к стиральной машине|manual pdf ru|программа, отжим|Vestal|Как пользоваться машиной`,
    },
    {
      name: 'Code',
      lines: `parse.py||code text en|parse, import||
deploy.sh||code text|||
index.ts||code text en|export, import||`,
    },
    {
      name: 'Certificates',
      lines: `diploma.pdf|Diploma of engineering|certificate pdf en|university, degree|Technical University|Degree in engineering
свидетельство.pdf|Свидетельство о рождении|certificate pdf ru|рождение, загс||Свидетельство о рождении
first-aid.pdf|First aid course certificate|certificate pdf en|course, first aid|Red Cross|A course in first aid`,
    },
    {
      name: 'Acme Robotics GmbH',
      lines: `acme-offer.pdf|Job offer Acme Robotics|letter pdf en|offer, salary, start|Acme Robotics GmbH|Offer of a job at Acme Robotics
acme-payslip-1.pdf|Payslip January|other pdf en|salary, gross, net|Acme Robotics GmbH|Salary of January
acme-payslip-2.pdf|Payslip February|other pdf en|salary, gross, net|Acme Robotics GmbH|Salary of February
acme-handbook.pdf|Employee handbook|manual pdf en|vacation, employees, conduct|Acme Robotics GmbH|Rules for employees
acme-review.docx|Performance review|report document en|goals, feedback|Acme Robotics GmbH|Yearly review of goals
acme-letter.pdf|Letter of confirmation|letter pdf en|employment, confirmation|Acme Robotics GmbH|Confirms the employment`,
    },
    {
      name: 'Garden',
      lines: `tomatoes.txt|Growing tomatoes|other text en|garden, tomatoes, soil, compost||Soil and compost for tomatoes in the garden
compost.md|Compost heap|other text en|garden, compost, leaves||How to make compost in the garden
roses.txt|Pruning roses|other text en|garden, roses, pruning, soil||When to prune roses in the garden
seeds.csv|Seed list|other text en|garden, seeds, tomatoes, spring||Seeds to sow in the garden in spring`,
    },
    {
      name: 'Шахматы',
      lines: `дебюты.txt|Дебюты за белых|other text ru|шахматы, дебют, пешка||Шахматы: дебюты за белых
эндшпиль.txt|Ладейный эндшпиль|other text ru|шахматы, ладья, пешка||Шахматы: эндшпиль с ладьями
партия.txt|Разбор партии|other text ru|шахматы, ферзь, дебют||Шахматы: разбор партии`,
    },
    {
      name: 'Audio',
      lines: `song.mp3||other audio|||
memo.m4a||other audio|||`,
    },
    {
      name: 'Videos',
      lines: `birthday.mp4||other video|||
clip.mov||other video|||`,
    },
    {
      name: 'Resumes',
      lines: `cv-anna.pdf|Curriculum vitae Anna Berg|resume pdf en|experience, skills||Designer
резюме.docx|Резюме разработчика|resume document ru|опыт, навыки||Разработчик`,
    },
    {
      name: '',
      lines: `a.bin||other other|||
zzz.dat||other other|||
poem.txt|Ode to a kettle|other text en|kettle, steam||A poem
contents.pdf|Minutes of the allotment association|other pdf en|quorum, treasurer|Allotment Association|A vote on fences
lone.txt|Заметки о погоде|other text ru|ветер, облака||Наблюдения`,
    },
  ],
);
