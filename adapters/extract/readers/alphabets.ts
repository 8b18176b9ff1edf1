/**
 * Non-ASCII letters of each language, the most frequent first, in lower case. Letter frequencies decline similarly in
 * all alphabets, so the order is sufficient.
 */
export interface Alphabet {
  readonly letters: string;
  /** Prior cost of the language in bits: a rare one needs more evidence. */
  readonly prior?: number;
  /** Frequent letter pairs, which decide between charsets with the same letters. */
  readonly pairs?: ReadonlySet<string>;
  /** Letters that never begin a word, that only end one, and that never do. */
  readonly neverFirst?: string;
  readonly onlyLast?: string;
  readonly neverLast?: string;
  /** Used with ASCII letters, which are foreign to other alphabets. */
  readonly latin?: true;
}

const pairs = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));
const latin = (letters: string): Alphabet => ({ letters, latin: true });

export const RUSSIAN: Alphabet = {
  letters: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
  pairs: pairs(`
    ст но ен то на ов ни ра во ко ал ли по ре ро пр ер не ан ть ос ес ом ор та го де ск те ел ва ла ри да
    ол от ве ит за ет ле ти ам ка об тр ог ам мо ие ия ий ый ая ое ые ло ас бо до ат им со ма ил му че ши
    жи ди че ми се хо тв ви ин ис нн ыл ны ку ру из од же ки бы ду ой ей ам ах их ых ют ем ся сь лю ён чт`),
  neverFirst: 'ьъы',
};
export const UKRAINIAN: Alphabet = {
  letters: 'оанивітерслкдумпязьбгйчхцжїщєшюґф',
  prior: 1,
  pairs: RUSSIAN.pairs!,
  neverFirst: 'ь',
};
export const BULGARIAN: Alphabet = {
  letters: 'аоиетнрсвлкдпмзъгубчщшцжхфйюяь',
  prior: 3,
  pairs: RUSSIAN.pairs!,
  neverFirst: 'ь',
};
export const SERBIAN: Alphabet = { letters: 'аоиенрјтскдвумплзбгњчцшђжљхћџф', prior: 4 };
export const GREEK: Alphabet = {
  letters: 'αοιετσνηυρπκμλςάίωγέδόήχθύφβώξζψϊϋΐΰ',
  pairs: pairs(`
    αι ου το ει ης στ τη να ατ τα εν αν ικ ντ ρο ερ με σε κα ων ος αρ ια τι πο εί μα ση ησ λλ εσ κό ντ τω υν νο
    κο ομ ρα απ πρ ασ σι αλ ία δι ετ ρι τε ερ θα δε τό ον ις ολ λο δικ ίν άν έν αί οι ού τά ές σμ νθ ρω πω`),
  onlyLast: 'ς',
  neverLast: 'σ',
};
export const HEBREW: Alphabet = {
  letters: 'יוהלאתרמבשנםכעדחקפןטצגסזךףץ',
  pairs: pairs(`
    ים ות של את לא הו יו הא כל על אל המ שה וה בי לי ית ין יה מה ני רי די לה יי או לו ול בו רו זכ כו תו וי הח
    הי הם וא יר שר אש או אד דם מי נו ור רת בא עם חו פי שו ונ יב מו לכ הב הת לפ מד`),
  onlyLast: 'םןךףץ',
  neverLast: 'מנכצ',
};
export const ARABIC: Alphabet = {
  letters: 'اليمنوترةبدعسفهكقأحجىإذصشطخغزضثءظئؤآ',
  pairs: pairs(`
    ال لا ان من في ها وا لم ات ية ني ير را ما لع لح لت ون لى عل كل حق لأ لإ إن نس سا شخ خص أن مة إل لك قو وق اد ام ار
    اء لق لو تم يا لي ين يم لد هم هذ ذا جم مي ته مع بي لن له ري حر رة دة مل عم اس است مر بال`),
  onlyLast: 'ةى',
};
export const PERSIAN: Alphabet = { letters: 'ايرندهمتبوسشازلكعخقفپگجحچصطذغضثظژئء', prior: 3 };
export const THAI: Alphabet = {
  letters: 'านรอกเงมยล่้วดทสตะปบคหแัีิ์ื็จพชขใไำโผธณศซษญฎถูุฐภฏฉึฟฮฆฝ๊ฤๆฒฬ๋ฌฑฯ',
  neverFirst: '่้ัิีึืุู็์ำๆ๊๋',
};

/** Western European. */
export const WESTERN_EUROPEAN: readonly Alphabet[] = [
  latin('äüößé'),
  latin('éàèêçùâîôûœïëæÿü'),
  latin('óíáéñúüº¿¡ª'),
  latin('ãçáéíóêõâúàôü'),
  latin('àèùòéìî'),
  latin('åäöéø'),
  latin('øåæéöä'),
  latin('áíðþæóöúéý'),
  latin('éëïèóü'),
  latin('šžõäöü'),
];
/** Central and Eastern European. */
export const CENTRAL_EUROPEAN: readonly Alphabet[] = [
  latin('łęąóśćżźń'),
  latin('íáěéřčšžýůúťďňó'),
  latin('áíéčýšžúôťľňäóďŕĺ'),
  latin('áéöóőíüúű'),
  latin('ăîşţâșț'),
  latin('čšžćđ'),
];
export const TURKISH: Alphabet = latin('ıüşğçöâîû');
export const BALTIC: readonly Alphabet[] = [
  latin('ėšųįžūąčę'),
  latin('āīēšūļžņčģķ'),
  latin('äõüöšž'),
];

export const HIRAGANA =
  'のいにたしるとでなかはがてをすんれまらこりもっさきくうせおけどちあだよじそえつやみばわげひむべろぐほふめねごずぶゆぞびへぼょゃゅぎぱぽぴぷぺざづぬ';
/** Most frequent Chinese characters, in simplified and traditional spelling. */
export const SIMPLIFIED = new Set(
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运票额元千百订单收付价款账户银行发购买务',
);
export const TRADITIONAL = new Set(
  '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直資命山金指許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運票額元千百訂單收付價款帳戶銀',
);
export const JAPANESE = new Set(
  '日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住無真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢付額合計請求様株式世界',
);
export const HANGUL = new Set(
  '이다는을의에가고하를지도로한은서사기인자대어리시해그나라일부정수있제보전스아과으여동들구장와니상주성원적것면게만안조유신연공화선국오당모두소개무비위실생경문세용미관분중반내트까력진발마거우했었음습요점법계행년월금달학교업회통단체물품운방민현재간말불터할데권될른',
);
