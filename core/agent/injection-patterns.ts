/*
 * Indirect forms of prompt injection: a text addresses an assistant by name, imitates a system message, demands
 * secrecy from the user, or asks to forget earlier instructions. The requested action must be one that tools can do,
 * so that requests between people do not match. Patterns apply to the normal form.
 */

/** Not across the end of a sentence. */
const NEAR = '[^.!?;。！？；]';
/** Start of a sentence or a line. */
const START = String.raw`(?:^|[.!?:;>"'#()*\]«»“”—-] ?)`;

const WORK = String.raw`(?:create|write|add|make|put|schedule|rename|move|delete)\b${NEAR}{0,40}?\b(?:notes?|events?|reminders?|files?|documents?|objects?|folders?|calendar|appointments?)\b`;
const POLITELY = String.raw`(?:please |kindly |now |also |immediately |silently |you (?:must|should|shall|will|have to|need to|are to) |to )*`;
const NAMED = String.raw`(?:(?:ai|a\.i\.|virtual|digital|personal|helpful) )*(?:assistant|chatbot|language model|llm|ai|ai agent|ai model)`;

const GERMAN_WORK = `${NEAR}{0,60}(?:notiz|termin|datei|ordner|dokument|kalender|erinnerung|objekt)`;
const RUSSIAN_WORK = '(?:созда|напиши|добав|запиши|переимену|перемести|перенеси|удали)';

export const INDIRECT_INJECTION_PATTERNS: readonly RegExp[] = [
  // English
  new RegExp(
    String.raw`${START}(?:(?:dear|hey|hello|hi|attention|attn|ok|okay),? )?${NAMED}[,!] ?${POLITELY}${WORK}`,
  ),
  new RegExp(
    String.raw`\b(?:dear|hey|hello|hi|to|for) (?:the |my |any |all |every )?${NAMED}s?[,:!] ?${POLITELY}${WORK}`,
  ),
  new RegExp(
    String.raw`${START}\[?system(?: (?:message|notice|override|alert|command|instruction|note))?\]?: ?(?:the (?:assistant|ai)\b|from now on|ignore\b|disregard\b|forget\b|override\b|new instructions?|${POLITELY}${WORK})`,
  ),
  new RegExp(String.raw`\bnew instructions?(?: (?:for you|follow))?: ?${POLITELY}${WORK}`),
  new RegExp(
    String.raw`\b(?:when|once|after|if|as soon as|while) (?:you|an? ${NAMED}) (?:are )?(?:reads?|reading|process(?:es|ing)?|summari[sz](?:es?|ing)|sees?) this(?: \w+)?,? ?${POLITELY}${WORK}`,
  ),
  /\b(?:without telling|(?:do not|don.t|never) tell|(?:do not|don.t|never) mention (?:this|it|that) to|hide (?:this|it|that) from) the user\b/,
  /(?<!\b(?:not|never|n.t|cannot|to never) )\b(?:ignore|disregard|forget) (?:all|everything|anything|whatever)(?: else)?(?: of)?(?: (?:that|what|which))?(?: (?:is|was|comes?|came|stated|written|said|has been|stands))* (?:above\b|before this\b|you(?: have|.ve| were| had)?(?: been)? (?:told|instructed|given)\b(?! about))/,

  // German
  new RegExp(
    String.raw`\b(?:an (?:den|die|das|alle|deinen)|lieber?|liebes|hallo|hey),? (?:ki-?|digitale[rn]? |virtuelle[rn]? )?(?:assistent(?:en|in|innen)?|ki|chatbot|sprachmodell)[,:!]${GERMAN_WORK}`,
  ),
  new RegExp(String.raw`${START}(?:ki-?)?assistent(?:in)?[,!]${GERMAN_WORK}`),
  /(?<!\bnicht )\b(?:vergiss|vergessen sie|ignoriere?|ignorieren sie|missachte) alles,? (?:bisherige|vorherige|obige|was (?:oben|bisher|vorher|zuvor|dir|ihnen))\b/,
  /\b(?:ohne (?:es )?de[mn] (?:be)?nutzer (?:zu (?:sagen|informieren)|davon)|(?:be)?nutzer nichts davon)\b/,

  // Russian
  new RegExp(
    `${START}(?:(?:уважаем|дорог)[а-я]+ |привет,? )?(?:ии-?)?(?:ассистент|помощник|неиросеть|нейросеть|чат-?бот)[,!] ?(?:пожалуи?й?ста,? )?${RUSSIAN_WORK}`,
  ),
  /(?<![а-я])(?<!не )(?:забудь(?:те)?|игнорируи?й?(?:те)?) все,? (?:что (?:было |написано |сказано |тебе |вам )+|(?:сказанное|написанное) )(?:выше|ранее|раньше|до этого|сказ|говор)?/,
  /не (?:говори|сообщаи?й?)(?:те)? (?:об этом )?пользователю/,

  // French
  new RegExp(
    String.raw`${START}(?:che(?:r|re) |bonjour,? )?(?:assistante?|ia)[,!] ?(?:merci de |veuillez |s.il (?:te|vous) plait,? )?(?:cree[rz]?|ajoute[rz]?|ecri[st]|ecrire|renomme[rz]?|deplace[rz]?|supprime[rz]?)\b`,
  ),
  /\b(?:oublie|oubliez|ignore|ignorez) tout ce (?:qui precede|qui est (?:ecrit )?(?:ci-dessus|plus haut)|qu.on (?:t|vous) ?.?a dit)/,

  // Spanish, and related languages with similar words for "forget"
  new RegExp(
    String.raw`${START}(?:estimad[oa] |querid[oa] |hola,? )?(?:asistente|ia)[,!] ?(?:por favor,? )?(?:crea|cree|anade|anada|agrega|agregue|escribe|escriba|renombra|mueve|borra|elimina)\b`,
  ),
  /(?<!\bno )\b(?:olvida|olvide|ignora|ignore) todo lo (?:anterior|que (?:te|se te|le) )/,
  /(?<!\bnon )\b(?:ignora|ignorate|dimentica|dimenticate) (?:tutte |tutti )?(?:le |i |gli )?(?:precedenti )?(?:istruzioni|indicazioni|ordini)(?: precedenti)?\b/,
  /(?<!\bnao )\b(?:ignore|ignora|esqueca|esquece) (?:todas |todos )?(?:as |os )?(?:instrucoes|orientacoes|ordens)\b/,

  // Chinese, simplified and traditional
  /(?:请|致|让|請|讓|亲爱的|你好,?)?(?:ai|智能|人工智能)?(?:助手|助理)(?:[,:!,:!、 ]|请|請|必须|立即|马上)*(?:创建|建立|新建|添加|写|重命名|移动|删除|創建|寫|刪除)[^。!?!?]{0,20}(?:笔记|筆記|文件|日程|事件|提醒|文件夹|资料夹|日历)/,
  /(?<!不要|不得|勿)(?:忘记|忘掉|忽略|无视|忘記)(?:之前|以上|上面|前面|上述)的?(?:一切|所有|全部)(?:内容|話|话|內容)?/,
];
