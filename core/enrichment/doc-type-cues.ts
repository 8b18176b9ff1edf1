import type { DocType } from '../../ports/objects.ts';

/**
 * What documents of a type say, in plain words without accents; `*` stands for any ending of a word.
 *
 * `title`: what they call themselves; tells most in a short line at the top. `strong`: what hardly another type says.
 * `weak`: what others say as well. Chinese ones are looked for as they stand.
 */
export interface TypeCues {
  readonly title: string;
  readonly strong: string;
  readonly weak: string;
}

export const CUES: Partial<Record<DocType, TypeCues>> = {
  invoice: {
    title: `invoice, tax invoice, proforma invoice, pro forma invoice, commercial invoice, счет на оплату, счет фактура,
      счет фактуры, счет №, счет, рахунок, rechnung, rechnungsnummer, facture, factura, fattura, 发票, bill of charges, electricity bill, utility bill`,
    strong: `invoice number, invoice no, invoice date, invoice #, bill to, amount due, total due, balance due, payment terms,
      payment due, due date, terms of payment, плательщик, итого к оплате, всего к оплате, к оплате, основание договор, поставщик, счет-фактура,
      rechnungsdatum, rechnungsbetrag, rechnungsnr, leistungszeitraum, nettobetrag, zahlbar innerhalb, zahlungsziel,
      date de facture, net a payer, echeance, total ht, numero de factura, fecha de factura, base imponible, importe total, 购买方, 销售方`,
    weak: `subtotal, vat, gst, unit price, qty, quantity, bank details, sort code, итого, в том числе ндс, ндс, наименование товар*, кол во, покупатель, цена, р с, бик, кпп,
      mwst, ust idnr, zzgl, menge, einzelpreis, tva, siret, prix unitaire, iva, cantidad, precio unitario`,
  },
  receipt: {
    title: `receipt, payment receipt, sales receipt, cash receipt, кассовый чек, товарный чек, чек, чек по операции, квитанция, квитанция об оплате,
      kassenbon, kassenbeleg, quittung, ticket de caisse, recu, recibo, ticket de compra, 收据, 小票`,
    strong: `cashier, cash tendered, change due, thank you for shopping, keep this receipt, here s your receipt, your receipt, amount received, received from, receipt no,
      thanks for your order, payment method, кассир, сдача, наличными, безналичными, смена, рн ккт, фн, фп, способ оплаты, код авторизации, сумма перевода, спасибо за покупку, приход,
      ruckgeld, gegeben, vielen dank fur ihren einkauf, bon nr, rendu, especes, gracias por su compra, operation approved, операция выполнена, номер чека`,
    weak: `change, cash, visa, mastercard, approved, tip, store, total, итог, комиссия, карта, сумма, получатель, сайт фнс, summe, bar, paid on, charged, reg, subtotal, tax`,
  },
  bank_statement: {
    title: `statement of account, account statement, bank statement, credit card statement, current account statement, выписка по счет*, выписка по лицевому, выписка по карт*,
      банковская выписка, справка о движении средств, kontoauszug, releve de compte, releve bancaire, extracto bancario, extracto de cuenta, estado de cuenta, 银行对账单, 交易明细`,
    strong: `opening balance, closing balance, beginning balance, ending balance, statement period, previous balance, new balance, minimum payment, balance forward, standing order, account holder,
      paid out, paid in, overdraft, statement date, statement closing, daily transactions, входящий остаток, исходящий остаток, остаток на начало, остаток на конец, оборот* по, обороты за, движение средств, движении средств,
      kontostand, buchungstag, kontoinhaber, verwendungszweck, solde, saldo anterior, saldo final`,
    weak: `account number, deposits, withdrawals, transactions, direct debit, debit, credit, balance, iban, bic, дебет, кредит, номер счета, лицевого счета, владелец, зачисление, пополнен*, списан*, за период, период,
      lastschrift, gutschrift, releve, cargo, abono`,
  },
  contract: {
    title: `agreement, contract, lease, employment contract, loan agreement, lease agreement, non disclosure agreement, purchase agreement, memorandum of understanding, договор, контракт, соглашение,
      дополнительное соглашение, договор*, трудовой договор, vertrag, mietvertrag, kaufvertrag, arbeitsvertrag, dienstvertrag, contrat, contrat de, bail, contrato, contrato de, 合同, 协议`,
    strong: `hereinafter, the parties, parties agree, entered into, witness whereof, governed by the laws, party of the, hereto, hereby agree, by and between, whereas, shall be governed, each a party,
      именуем* в дальнейшем, с одной стороны, с другой стороны, настоящ* договор*, предмет договора, обязанности сторон, ответственность сторон, реквизиты и подписи, реквизиты сторон, о нижеследующем, подписи сторон, обязуется, исполнитель обязуется, в двух экземплярах,
      vertragsparteien, mietverhaltnis, die parteien, vermieter*, arbeitgeber, arbeitnehmer, les parties, ci apres, le soussigne, las partes, en adelante, clausula*, 甲方, 乙方`,
    weak: `landlord, tenant, employer, employee, lender, borrower, shall, terminate, termination, notice period, confidentiality, term, deposit, стороны, заказчик, исполнитель, продавец, покупател*, арендодатель, арендатор, работник, работодатель, срок, расторжен*,
      miete, kaution, kundigung, mieter*, article, bailleur, locataire, arrendador, arrendatario`,
  },
  report: {
    title: `report, annual report, quarterly report, incident report, progress report, inspection report, status report, white paper, audit report, sales report, отчет, отчет о, отчет по, аналитический отчет, аналитическая записка, доклад, обзор рынка,
      bericht, jahresbericht, prufbericht, geschaftsbericht, rapport, rapport annuel, informe, informe anual, 报告, 年度报告`,
    strong: `executive summary, key findings, recommendations, findings, methodology, root cause, corrective actions, reporting period, conclusions, financial highlights, prepared by, prepared for, purpose of this,
      отчетн* период*, основные показатели, выводы и рекомендации, основные выводы, выводы, рекомендуется, рефера*, цель работы, методика исследования, результаты исследовани*, выполненные работы, цель поездки,
      zusammenfassung, ergebnisse, handlungsempfehlung*, resume analytique, conclusions et, resumen ejecutivo, conclusiones`,
    weak: `introduction, results, appendix, figure, table, revenue, compared with, growth, outlook, analysis, введение, заключение, приложение, таблица, динамика, по сравнению, показател*, результаты, предложения, выросл*, снизил*, рис`,
  },
  letter: {
    title: `cover letter, letter, письмо, гарантийное письмо, претензия, благодарственное письмо, сопроводительное письмо, to whom it may concern, lettre, carta, brief, исх`,
    strong: `dear, yours sincerely, yours faithfully, sincerely, kind regards, best regards, lots of love, with love, best wishes, i am writing, i look forward, thank you for your letter, to whom it may concern,
      уважаем*, с уважением, в ответ на ваш*, сообщаем, просим вас, прошу вернуть, выражаем вам, дорог* друзья, искренне ваш, с наилучшими пожеланиями, благодарим вас, настоящим гарантируем,
      sehr geehrte*, mit freundlichen gru*, liebe gru*, hiermit, madame monsieur, cher monsieur, chere madame, veuillez agreer, cordialement, salutations distinguees, estimad* , atentamente, un cordial saludo, 尊敬的, 此致`,
    weak: `re, subject, do not hesitate, grateful, recommend, надеемся, надеюсь, обращение, betreff, objet, asunto`,
  },
  resume: {
    title: `resume, curriculum vitae, cv, резюме, lebenslauf, hoja de vida, 简历, 个人简历`,
    strong: `work experience, professional experience, employment history, work history, education, skills, technical skills, references available, references on request, volunteer work, date of birth nationality, hobbies and interests, career objective, key skills,
      опыт работы, ключевые навыки, желаемая должность, места работы, профессиональные навыки, личные качества, знание языков, зарплатные ожидания, семейное положение, соискание должности, о себе,
      berufserfahrung, ausbildung, kenntnisse, sprachkenntnisse, experience professionnelle, competences, formation, langues, experiencia laboral, formacion academica, habilidades, 工作经历, 教育背景`,
    weak: `experience, objective, university, languages, summary, linkedin, github, certifications, present, led, responsible for, образование, навыки, обязанности, должность, настоящее время, занятость, стажер, переезду, возраст, abitur, praktikum`,
  },
  article: {
    title: `abstract, op ed, opinion, аннотация, 摘要`,
    strong: `keywords, in this paper, et al, doi, this article, previous studies, we study, ключевые слова, в статье, в данной статье, список литературы, удк, автор статьи, материалы и методы, актуальность исследования,
      schlusselworter, mots cles, palabras clave, literaturverzeichnis, 关键词, 参考文献`,
    weak: `abstract, introduction, references, journal, researchers, however, literature, participants, he says, she says, editor, by, критик, исследовател*, впрочем, литература, автор, отмечает, по словам, по ее словам, по его словам, говорят, references`,
  },
  manual: {
    title: `user manual, owner s manual, manual, user guide, quick start, quick start guide, installation guide, instructions for use, operating instructions, getting started, how to, installing, руководство по эксплуатации, инструкция по эксплуатации,
      руководство пользователя, инструкция, инструкция по*, руководство, памятка, bedienungsanleitung, gebrauchsanweisung, handbuch, montageanleitung, mode d emploi, manuel, notice d utilisation, manual de instrucciones, manual de usuario, guia de, 使用说明, 说明书, 用户手册`,
    strong: `safety instructions, troubleshooting, before first use, read all instructions, press the, press and hold, this guide, make sure that, step 1, unplug, technical specifications, on screen instructions, prerequisites, how to reset,
      меры безопасности, требования безопасности, перед первым использованием, перед использованием, нажмите, технические характеристики, комплект поставки, гарантийный срок, шаг 1, не допускайте, возможные неисправности, порядок работы, внимательно прочитайте, подключите, дождитесь,
      sicherheitshinweise, inbetriebnahme, drucken sie, technische daten, fehlerbehebung, consignes de securite, appuyez, avant la premiere, pulse el, solucion de problemas, antes de usar, 注意事项`,
    weak: `install, configure, appliance, device, button, warning, note, run the following, maintenance, cleaning, download, settings, прибор*, издели*, кнопк*, внимание, установите, настройка, уход, включите, введите, откройте, подготовка к работе, хранение`,
  },
  form: {
    title: `form, application form, consent form, registration form, claim form, request form, leave request, expense claim, questionnaire, анкета, заявление, бланк, бланк заказа, опросный лист, форма заявки, formular, antrag, anmeldeformular, fragebogen, formulaire, formulario, solicitud, 申请表, 登记表`,
    strong: `please complete, block capitals, tick one, please tick, tick as appropriate, please circle, print name, signature of applicant, for office use only, return this form, please fill, applicant, заполняется, заполните, нужное подчеркнуть, отметьте нужное, печатными буквами, прошу принять, прошу предоставить, к заявлению прилагаю, от ф и о,
      bitte ausfullen, zutreffendes ankreuzen, unterschrift des antragstellers, cochez, a remplir, rellene, marque con`,
    weak: `surname, first name, signature, date of birth, address, date, name, employee name, department, подпись, фамилия имя отчество, дата, проживающ* по адресу, телефон, размер, unterschrift, vorname, nom, prenom, firma, nombre, apellidos`,
  },
  certificate: {
    title: `certificate, certificate of, diploma, birth certificate, marriage certificate, death certificate, award, сертификат, диплом, грамота, свидетельство, свидетельство о, удостоверение о, удостоверение, аттестат, благодарность, справка,
      zertifikat, urkunde, zeugnis, bescheinigung, geburtsurkunde, certificat, attestation, diplome, certificado, titulo de, partida de nacimiento, 证书, 证明`,
    strong: `this is to certify, hereby certify, we certify, has successfully completed, is proudly presented, in recognition of, awarded to, awarded on, certified copy of an entry, certificate number, valid until, registrar, notified body,
      подтверждает что, награждается, прошел обучение, прошла обучение, прошла повышение, прошел повышение, о повышении квалификации, в объеме, выдано, выдан, заключили брак, запись акта, о чем составлена, загс, государственной регистрации права, присвоена квалификация,
      hiermit wird bescheinigt, hat erfolgreich, est decerne, atteste que, certifica que, se otorga, 特此证明`,
    weak: `course, achievement, completion, conformity, director, programme, hours, регистрационный номер, часов, директор школы, за первое место, дата выдачи, teilgenommen`,
  },
  id_document: {
    title: `passport, identity card, driving licence, driver s license, driver license, residence permit, visa, паспорт, паспорт гражданина, водительское удостоверение, вид на жительство, удостоверение личности, страховое свидетельство, снилс,
      personalausweis, reisepass, fuhrerschein, aufenthaltstitel, carte d identite, carte nationale, passeport, permis de conduire, dni, documento nacional de identidad, pasaporte, permiso de conducir, 身份证, 护照, 居民身份证`,
    strong: `passport no, given names, date of expiry, date of expiration, issuing authority, place of birth, personal number, card number nationality, holder s signature, dvla, 4a, 4b, код подразделения, место рождения, паспорт выдан, орган выдавший, гибдд, код государства, пенсионного страхования,
      ausstellende behorde, gultig bis, geburtsort, lieu de naissance, lugar de nacimiento, 公民身份号码, 签发机关`,
    weak: `surname, nationality, sex, date of birth, date of issue, valid until, type p, фамилия, имя, отчество, пол, дата рождения, гражданство, дата выдачи, geburtsdatum, staatsangehorigkeit, nationalite, nacionalidad`,
  },
  meeting_notes: {
    title: `meeting minutes, minutes of, minutes, meeting notes, meeting, call notes, standup, stand up, weekly sync, sync, retrospective, retro, протокол №, протокол собрания, протокол совещания, протокол заседания, протокол общего собрания, протокол, совещание, планерка, созвон, заметки со встречи, встреча, итоги встречи,
      besprechungsprotokoll, sitzungsprotokoll, protokoll, protokoll der sitzung, compte rendu, proces verbal, acta de, acta de la reunion, reunion, 会议纪要, 会议记录`,
    strong: `attendees, participants, action items, action points, next meeting, apologies for absence, was adjourned, agenda, it was resolved, minutes of the previous, on the call, follow up call, decisions, present mr, what went well, agreed,
      присутствовали, повестка дня, повестка, слушали, постановили, голосовали, председател* собрания, секретарь собрания, следующая встреча, договорились, обсудили, обсуждали, участники, решили, решения, общего собрания,
      teilnehmer, anwesend, tagesordnung, beschlosse*, nachste sitzung, presents, ordre du jour, asistentes, orden del dia, acuerdos, 与会人员, 出席, 议程`,
    weak: `discussion, discussed, decision, present, chair, absent, due, meeting, ответственный, срок, председатель, секретарь, задачи, собрани*, заседани*, были, ergebnis, aufgaben`,
  },
  note: {
    title: `todo, to do, to do list, shopping list, note to self, notes, список дел, список покупок, заметка, заметки, напоминание, мысли, идея, идеи, einkaufsliste, notiz, liste de courses, lista de la compra, idea, ideas, idea for, note, 备忘, 购物清单`,
    strong: `remember to, don t forget, note to self, to buy, remind me, не забыть, купить, позвонить, надо, напомнить, спросить у, узнать, nicht vergessen, kaufen, ne pas oublier, acheter, no olvidar, comprar, 记得`,
    weak: `buy, call, ask, maybe, pick up, book, pay, idea, remember, посмотреть, забрать, может, идея, мысли, полить, помыть, отвезти, wifi, key, todo`,
  },
  book: {
    title: `a novel, novel, a memoir, textbook, an introduction, pocket guide, third edition, second edition, роман, повесть, рассказы, учебник, учебное пособие, стихотворения, roman, erzahlungen, lehrbuch, novela, manuel scolaire, 小说, 著`,
    strong: `isbn, all rights reserved, chapter one, chapter two, library of congress, cataloguing in publication, cataloging in publication, published by, first published, no part of this publication, foreword, epilogue, about the author, chapter 1, part one, glossary, acknowledgements, preface, copyright by,
      издательство, тираж, ббк, глава 1, глава первая, часть первая, оглавление, предисловие, предметный указатель, изд, рецензенты, учебник для,
      verlag, alle rechte vorbehalten, kapitel 1, erstes kapitel, vorwort, chapitre premier, chapitre 1, editions, editorial, capitulo 1, capitulo primero, derechos reservados, 第一章, 出版社`,
    weak: `contents, table of contents, edition, index, chapter 2, chapter, содержание, глава, глава 2, удк, издание, inhaltsverzeichnis, sommaire, indice`,
  },
  ticket: {
    title: `boarding pass, e ticket, eticket, ticket, train ticket, admit one, itinerary, билет, электронный билет, билет в, билет №, посадочный талон, маршрутная квитанция, контрольный купон, fahrkarte, bordkarte, eintrittskarte, online ticket, billet, billet electronique, carte d embarquement, entrada, billete, tarjeta de embarque, 车票, 登机牌, 门票`,
    strong: `booking reference, boarding time, gate, seat, passenger, doors open, departure, ticket number, outward journey, flight, coach, barcode, collection reference, пассажир, вагон, место, рейс, вылет, прилет, отправление, прибытие, сеанс, ряд, код бронирования, партер, спектакль, поезд, электронного билета,
      sitzplatz, wagen, abfahrt, ankunft, gleis, voiture, depart, arrivee, asiento, vuelo, salida, 座位, 航班, 车厢`,
    weak: `terminal, row, block, baggage, group, from, to, arrive, depart, adult, no refunds, order number, номер заказа, зал, фильм, багаж, штрихкод*, театр, цена, стоимость`,
  },
  policy: {
    title: `policy, privacy policy, terms of service, terms and conditions, terms of use, code of conduct, insurance policy, policy schedule, cookie policy, политика, политика конфиденциальности, правила, правила пользования, положение о, положение, регламент, пользовательское соглашение, страховой полис, полис, кодекс,
      datenschutzerklarung, agb, allgemeine geschaftsbedingungen, richtlinie, hausordnung, versicherungsschein, police, politique de, conditions generales, reglement, politica de, terminos y condiciones, poliza, 隐私政策, 服务条款, 管理制度`,
    strong: `this policy, policy number, policyholder, sum insured, period of insurance, personal data, acceptable use, limitation of liability, you must not, by using this, last updated, last revised, applies to all employees, disciplinary action, purpose and scope, changes to this policy, effective date, responsibilities,
      настоящ* политика, настоящее положение, настоящие правила, общие положения, персональных данных, субъекта персональных, страхователь, страховщик, страховая премия, страховая сумма, обязательны для, утверждаю, имеют право, обязаны, порядок обработки,
      geltungsbereich, personenbezogene* daten, versicherungsnehmer, donnees personnelles, champ d application, assure, datos personales, asegurado, 个人信息`,
    weak: `compliance, eligibility, scope, cookies, premium, excess, exclusions, liability, rights, violations, ответственность, cookie, требования, нарушени*, в соответствии с, законом, срок страхования`,
  },
  medical: {
    title: `prescription, discharge summary, laboratory results, lab results, radiology report, medical report, medical record, vaccination record, referral, результаты анализов, результаты анализа, анализ крови, выписной эпикриз, эпикриз, протокол ультразвукового исследования, узи, рецепт, осмотр врача*, осмотр, медицинская справка, история болезни, направление на, мрт, медицинская карта,
      arztbrief, befund, laborbefund, entlassungsbericht, rezept, ordonnance, compte rendu medical, analyses medicales, receta medica, informe medico, historia clinica, 病历, 处方, 检验报告, 诊断证明`,
    strong: `patient, diagnosis, reference range, specimen, dosage, allergies, clinical history, physician, tablets, mg, impression, twice daily, follow up with gp, treatment, hospital, hemoglobin, glucose, blood pressure, general practitioner,
      пациент*, диагноз, жалобы, анамнез, назначения, референсн* значени*, биоматериал, гемоглобин, врач, больной, поликлиник*, мкб, больничный лист, отделени*, заключение без патологии, лечение, терапевт*,
      diagnose, anamnese, patientin, dosierung, traitement, diagnostic, posologie, paciente, diagnostico, tratamiento, 诊断, 患者, 医院`,
    weak: `result, findings, exam, admitted, discharged, test, clinic, dr, doctor, fracture, мг, результат, показатель, кровь, печень, рекомендации, кардиолог*, таблетк*, л, заключение`,
  },
  tax: {
    title: `tax return, income tax return, self assessment, tax calculation, wage and tax statement, tax statement, vat return, form 1040, form w 2, w 2, tax assessment, налоговая декларация, декларация, декларация по налогу, налоговое уведомление, справка о доходах, 2 ндфл, 3 ндфл, требование об уплате, федеральная налоговая служба,
      steuerbescheid, einkommensteuerbescheid, steuererklarung, lohnsteuerbescheinigung, finanzamt, bescheid fur, bescheid, avis d imposition, declaration de revenus, impot sur le revenu, declaracion de la renta, agencia tributaria, 纳税申报表, 完税证明`,
    strong: `internal revenue service, filing status, adjusted gross income, income tax, taxpayer, hm revenue, personal allowance, tax withheld, total tax, vat due, employer identification number, tax authority, taxable income, tax year,
      налоговая база, налоговая ставка, сумма налога, налоговый период, налоговой службы, налогового органа, кбк, октмо, налогоплательщик*, налоговом агенте, исчисленн* налога, ндфл, транспортного налога, к уплате, отчетный год, объект налогообложения, код дохода, федеральная налоговая,
      einkommensteuer, zu versteuerndes einkommen, solidaritatszuschlag, festgesetzt, revenu imposable, rendimientos, 应纳税额`,
    weak: `wages, social security, return, treasury, refund, quarter ended, инн, доход*, срок уплаты, steuernummer, rechtsbehelfsbelehrung`,
  },
  presentation: {
    title: `slide, slides, presentation, pitch deck, презентация, слайд, prasentation, presentation de, presentacion, 幻灯片`,
    strong: `thank you for your attention, any questions, спасибо за внимание, vielen dank fur ihre aufmerksamkeit, merci de votre attention, gracias por su atencion, 谢谢观看`,
    weak: `agenda, overview, next steps, слайд, план`,
  },
};
