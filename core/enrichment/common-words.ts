/**
 * Words that are frequent in any text and therefore no keywords, without accents. They supplement the function words
 * of the analyser.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `able according across actually added almost along already although always among another anything around available away
   back based become became began begin better came case certain come could day days different dont done either else end even ever
   every example far find first following found four full gave general get give given goes going good got great group hand
   hard help high however important include included including instead keep kept kind know known large last later least
   left less let like likely line little long look lot made main make makes making may maybe mean means might mrs much
   must need never new next none note nothing number often old one order part particular people per perhaps place point
   possible put quite rather read really right said say says second see seen set several shall side since small something
   sometimes still sure take taken tell thing things think though three thus time times today together told took toward
   turn two type upon use used user uses using usually various want way ways week well went whether within without work
   would year years yes yet january february march april june july august september october november december monday
   tuesday wednesday thursday friday saturday sunday page http https www com org
   более менее будет будут вместе вообще время времени всегда год года году годы лет день дня дней дать дело другие другой других
   должен должна должны если затем иметь имеет каждый каждого каждой кроме лишь лучше любой месяц много могу мочь надо
   например некоторый несколько новый новая новые новых общий однако остальные оба первый первая первые второй просто пусть раз
   разные сделать сейчас сегодня следующий словом снова совсем стать стал стала стали считать считается теперь третий
   тогда точно три хорошо хотя часто часть человек этап января февраля марта апреля мая июня июля августа сентября октября
   ноября декабря руб рублей также именно нужно нужен нужна можно впрочем вдруг весьма который свой своих лично который чтоб
   stand jahr jahre jahren tag tage wurde worden beim bereits bitte damit dabei daher eigene erste ersten etwa gegenuber
   gleich gut heute immer jedoch konnte letzten machen macht mehrere moglich muss neue neuen neuer rund schon sehr seit
   sowie statt teil tun uhr viele weitere weiteren welche wenig werden wieder zeit zwei januar februar marz mai juni juli
   oktober dezember
   annee annees apres autre autres avant avoir bien cas chaque depuis dire doit donner etre faire fait fois grand jour
   jours lieu mettre moins mois nouveau nouvelle partie petit peu peut plus point prendre premier premiere rien savoir
   seulement toujours tout trois venir voir janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre
   ano anos antes bien cada caso cosa cosas debe decir desde dia dias dos gran hace hacer hecho lugar mayor mejor menos mes
   meses mismo momento mucho mundo nuevo nueva parte primer primera puede pueden solo tiempo tener toda tres vez veces enero
   febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre`
    .trim()
    .split(/\s+/),
);
