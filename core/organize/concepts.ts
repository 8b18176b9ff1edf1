import type { DocType } from '../../ports/objects.ts';
import type { ObjectKind } from '../../ports/text-extraction.ts';

/** Languages in which folders and themes are named. */
export const NAMING_LANGUAGES = ['en', 'ru', 'de', 'fr', 'es', 'zh'] as const;
export type NamingLanguage = (typeof NAMING_LANGUAGES)[number];

/** The class of an object: its document type, else its kind of file. */
export type DocumentClass =
  | Exclude<DocType, 'other'>
  | Extract<ObjectKind, 'audio' | 'video' | 'archive' | 'email' | 'link' | 'image'>;

export type ThemeKind = 'finance' | 'work' | 'health' | 'travel' | 'personal' | 'library' | 'media';

type Names = Readonly<Record<NamingLanguage, string>>;
const names = (line: string): Names => {
  const [en = '', ru = '', de = '', fr = '', es = '', zh = ''] = line.split('|');
  return { en, ru, de, fr, es, zh };
};

/** Folder names of a class, in the order of `NAMING_LANGUAGES`, and its theme. */
export const DOCUMENT_CLASSES: Readonly<
  Record<
    DocumentClass,
    { readonly names: Names; readonly theme: ThemeKind | null; readonly words: string }
  >
> = {
  contract: {
    names: names('Contracts|Договоры|Verträge|Contrats|Contratos|合同'),
    theme: 'work',
    words:
      'agreement lease контракт соглашение vertrag vereinbarung accord convention acuerdo 合同 协议',
  },
  invoice: {
    names: names('Invoices|Счета|Rechnungen|Factures|Facturas|发票'),
    theme: 'finance',
    words: 'bill счет-фактура_счёт-фактура счёт 发票 账单',
  },
  receipt: {
    names: names('Receipts|Чеки|Quittungen|Reçus|Recibos|收据'),
    theme: 'finance',
    words:
      'квитанция чек kassenbon beleg bon ticket_de_caisse tique purchases покупки einkäufe 收据',
  },
  bank_statement: {
    names: names(
      'Bank statements|Банковские выписки|Kontoauszüge|Relevés bancaires|Extractos bancarios|对账单',
    ),
    theme: 'finance',
    words:
      'bank банк выписка_по_счёту выписка kontoauszug relevé banque extracto banco account_statement statement 对账单 银行',
  },
  report: {
    names: names('Reports|Отчёты|Berichte|Rapports|Informes|报告'),
    theme: 'work',
    words: 'отчёт bericht informe analysis 报告',
  },
  letter: {
    names: names('Letters|Письма|Briefe|Lettres|Cartas|信件'),
    theme: 'personal',
    words:
      'correspondence mail переписка письмо korrespondenz schreiben post courrier correspondencia 信件',
  },
  resume: {
    names: names('Resumes|Резюме|Lebensläufe|CV|Currículums|简历'),
    theme: 'work',
    words:
      'resume résumé curriculum lebenslauf cv applications bewerbung candidates кандидаты 简历',
  },
  presentation: {
    names: names('Presentations|Презентации|Präsentationen|Présentations|Presentaciones|演示'),
    theme: 'work',
    words: 'slides deck slide_deck слайды folien diapositives diapositivas 演示',
  },
  spreadsheet: {
    names: names('Spreadsheets|Таблицы|Tabellen|Tableurs|Hojas de cálculo|表格'),
    theme: 'work',
    words: 'sheet excel tabelle таблица budget бюджет 表格',
  },
  article: {
    names: names('Articles|Статьи|Artikel|Articles|Artículos|文章'),
    theme: 'library',
    words: 'paper essay статья aufsatz reading read_later publication публикации 文章',
  },
  manual: {
    names: names('Manuals|Инструкции|Anleitungen|Manuels|Manuales|说明书'),
    theme: 'library',
    words:
      'instructions user_guide guide руководство handbuch bedienungsanleitung mode_d’emploi notice instrucciones guía 手册 说明书',
  },
  form: {
    names: names('Forms|Анкеты и бланки|Formulare|Formulaires|Formularios|申请表'),
    theme: 'personal',
    words: 'application_form анкета бланк заявление antrag formular 申请表',
  },
  certificate: {
    names: names(
      'Certificates|Свидетельства и сертификаты|Zertifikate|Certificats|Certificados|证书',
    ),
    theme: 'personal',
    words:
      'diploma сертификат свидетельство диплом справка urkunde zeugnis bescheinigung diplôme attestation diploma título 证书',
  },
  id_document: {
    names: names(
      'Identity documents|Удостоверения личности|Ausweise|Pièces d’identité|Documentos de identidad|证件',
    ),
    theme: 'personal',
    words:
      'passport id_card identity id driving_licence паспорт удостоверение ausweis reisepass personalausweis passeport pasaporte dni visa виза 护照 身份证',
  },
  meeting_notes: {
    names: names(
      'Meeting notes|Протоколы встреч|Besprechungsnotizen|Comptes rendus|Actas de reuniones|会议记录',
    ),
    theme: 'work',
    words:
      'meeting minutes work_notes встреча совещание протокол besprechung protokoll sitzung réunion compte_rendu reunión acta 会议',
  },
  note: {
    names: names('Notes|Заметки|Notizen|Notes|Notas|笔记'),
    theme: 'personal',
    words: 'заметка записки notiz memo journal diary дневник tagebuch idea идея 笔记',
  },
  book: {
    names: names('Books|Книги|Bücher|Livres|Libros|书籍'),
    theme: 'library',
    words: 'ebook e-book книга buch novel 图书 书籍',
  },
  code: {
    names: names('Code|Код|Code|Code|Código|代码'),
    theme: 'work',
    words:
      'source_code script programming software исходный_код скрипт программирование quellcode skript 代码',
  },
  photo: {
    names: names('Photos|Фотографии|Fotos|Photos|Fotos|照片'),
    theme: 'media',
    words:
      'photograph picture pics camera фото фотография снимки foto bild bilder camera_roll 照片',
  },
  screenshot: {
    names: names(
      'Screenshots|Снимки экрана|Bildschirmfotos|Captures d’écran|Capturas de pantalla|截图',
    ),
    theme: 'media',
    words: 'screen_capture скриншот bildschirmfoto 截图',
  },
  ticket: {
    names: names('Tickets|Билеты|Tickets|Billets|Billetes|票务'),
    theme: 'travel',
    words: 'boarding_pass билет fahrkarte fahrschein eintrittskarte entrada event 车票 机票',
  },
  policy: {
    names: names(
      'Policies|Полисы и правила|Richtlinien|Polices et règlements|Pólizas y políticas|保险与规章',
    ),
    theme: 'personal',
    words:
      'insurance страховка страхование полис versicherung police assurance seguro póliza regulations правила richtlinie 保险 政策',
  },
  medical: {
    names: names('Medical|Медицина|Medizin|Médical|Médico|医疗'),
    theme: 'health',
    words:
      'doctor medicine prescription lab_results врач анализы рецепт arzt befund gesundheit médecin ordonnance salud receta 医疗 病历',
  },
  tax: {
    names: names('Taxes|Налоги|Steuern|Impôts|Impuestos|税务'),
    theme: 'finance',
    words:
      'tax_return налог декларация steuer steuererklärung impôt fiscalité impuesto fiscal 税务 纳税',
  },
  audio: {
    names: names('Audio|Аудио|Audio|Audio|Audio|音频'),
    theme: 'media',
    words: 'music recording sound podcast музыка записи musik aufnahme musique música grabación',
  },
  video: {
    names: names('Videos|Видео|Videos|Vidéos|Vídeos|视频'),
    theme: 'media',
    words: 'film movie clip фильм',
  },
  archive: {
    names: names('Archives|Архивы|Archive|Archives|Archivos comprimidos|压缩包'),
    theme: null,
    words: 'zip backup резервные_копии sicherung sauvegarde',
  },
  email: {
    names: names('Emails|Электронная почта|E-Mails|E-mails|Correos|邮件'),
    theme: 'personal',
    words: 'email e-mail почта courriel correo mail',
  },
  link: {
    names: names('Links|Ссылки|Links|Liens|Enlaces|链接'),
    theme: 'library',
    words: 'bookmark закладка lesezeichen favoris marcador website web read_later',
  },
  image: {
    names: names('Images|Изображения|Bilder|Images|Imágenes|图片'),
    theme: 'media',
    words: 'picture graphic drawing картинка рисунок bild grafik dessin dibujo',
  },
};

/** Themes for new folders, the words that name them, and the classes that match such a theme. */
export const THEMES: Readonly<
  Record<
    ThemeKind,
    {
      readonly names: Names;
      readonly words: string;
      readonly draws: Readonly<Partial<Record<DocumentClass, number>>>;
    }
  >
> = {
  finance: {
    names: names('Finance|Финансы|Finanzen|Finances|Finanzas|财务'),
    words:
      'money accounting деньги бухгалтерия geld buchhaltung argent comptabilité dinero contabilidad 财务 金融',
    draws: { bank_statement: 0.8, invoice: 0.75, receipt: 0.75, tax: 0.75 },
  },
  work: {
    names: names('Work|Работа|Arbeit|Travail|Trabajo|工作'),
    words:
      'job office business company career служба бизнес карьера beruf büro firma bureau oficina empresa 工作',
    draws: { meeting_notes: 0.75, presentation: 0.6, report: 0.6, resume: 0.5 },
  },
  health: {
    names: names('Health|Здоровье|Gesundheit|Santé|Salud|健康'),
    words: 'medical medicine wellness медицина medizin médical médico 健康',
    draws: { medical: 1 },
  },
  travel: {
    names: names('Travel|Путешествия|Reisen|Voyages|Viajes|旅行'),
    words:
      'trip flight hotel vacation holiday journey itinerary поездка отпуск перелёт отель бронирование командировка urlaub flug buchung vacances vol vacaciones vuelo 旅行 旅游',
    draws: { ticket: 0.9 },
  },
  personal: {
    names: names('Personal|Личное|Privat|Personnel|Personal|个人'),
    words: 'private family identity семья личные persönlich familie privé famille familia 个人',
    draws: { id_document: 0.75, certificate: 0.75 },
  },
  library: {
    names: names('Library|Библиотека|Bibliothek|Bibliothèque|Biblioteca|资料'),
    words: 'reading knowledge reference чтение справочник lesen wissen lecture lectura 阅读 资料',
    draws: { book: 0.9, article: 0.75, manual: 0.6 },
  },
  media: {
    names: names('Media|Медиа|Medien|Médias|Multimedia|媒体'),
    words: 'gallery галерея galerie galería 媒体',
    draws: { photo: 0.75, video: 0.75, audio: 0.75, image: 0.75, screenshot: 0.5 },
  },
};

/** Classes that determine the destination. An email or a note may be about anything. */
export const AMBIGUOUS_CLASSES: ReadonlySet<DocumentClass> = new Set([
  'note',
  'letter',
  'article',
  'report',
  'form',
  'spreadsheet',
  'presentation',
  'manual',
  'email',
  'link',
  'archive',
  'image',
  'audio',
  'video',
  'meeting_notes',
]);

/** Words in names of files and folders without meaning. */
export const EMPTY_WORDS = `scan scanned img image document documents doc docs file files copy final draft new misc stuff
  folder untitled various all inbox sonstiges verschiedenes unterlagen dokument dokumente datei dateien ordner neu
  kopie документ документы документов файл файлы папка копия новый новая разное прочее fichier fichiers dossier divers
  archivo archivos carpeta varios pdf jpg png docx xlsx txt md dsc`;

export const LEGAL_FORMS = `gmbh ag kg ohg ug ev se inc incorporated ltd limited llc llp plc corp corporation co company sa
  sas sarl sl srl bv nv oy ab ооо оао зао пао ао ип нко группа group`;
