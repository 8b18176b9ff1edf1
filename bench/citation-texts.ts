import { readFileSync } from 'node:fs';
import { readSamples, SAMPLE_PARTS } from './enrichment-samples.ts';

const FOLDER = new URL('../contract-tests/samples/', import.meta.url);

/** Texts by language (ISO 639-1), for languages of which the samples have too few. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Die Gemeinde hat die alte Mühle am Bach im Frühjahr für 240.000 Euro gekauft. Das Dach ist undicht, die Balken im Obergeschoss sind vom Wurm befallen, und das Wasserrad steht seit über dreißig Jahren still. Ein Verein von Freiwilligen will die Mühle bis zum Jahr 2028 wieder zum Laufen bringen und dort an jedem zweiten Sonntag Mehl mahlen. Für die Arbeiten am Dach liegt ein Angebot der Zimmerei aus dem Nachbarort vor; es beläuft sich auf 61.500 Euro und gilt bis Ende September. Das Denkmalamt verlangt, dass die Schindeln aus Lärchenholz sind und von Hand gespalten werden.',
    'Wer ein Rad ausleihen möchte, meldet sich mit einem gültigen Ausweis an der Ausgabe im Erdgeschoss. Die Leihe ist in den ersten beiden Stunden frei; danach kostet jede angefangene Stunde drei Euro. Kinder unter vierzehn Jahren fahren nur in Begleitung. Ein verlorener Schlüssel wird mit fünfundzwanzig Euro berechnet, ein beschädigter Reifen mit den Kosten der Reparatur. Bei Sturmwarnung bleiben die Räder im Haus, auch wenn sie vorbestellt sind. Helme liegen in vier Größen bereit und werden nach jeder Fahrt gereinigt.',
    'Das Archiv bewahrt rund achttausend Fotografien aus der Zeit zwischen 1890 und 1960 auf. Die meisten zeigen den Hafen, die Werften und die Menschen, die dort gearbeitet haben. Vor zwei Jahren begann man, die Glasplatten zu reinigen und abzubilden, etwa vierzig in der Woche. Besucher sehen die Bilder im Lesesaal auf einem Schirm; Abzüge werden gegen eine Gebühr angefertigt, sofern die Rechte geklärt sind. Für Schulen gibt es im Winter eine Führung, die den Weg einer Platte von der Kamera bis in den Schrank nachzeichnet.',
  ],
  zh: [
    '老城区的图书馆建于一九三六年，最初只有两间阅览室和不到三千册藏书。战争期间，馆员把最珍贵的地方志装进木箱，藏在郊外一座寺庙的地窖里，直到和平以后才运回来。现在图书馆有六层楼，每天接待大约一千二百名读者。去年冬天，三楼的暖气管道破裂，水流进了书库，有四百多本书受潮。工作人员用吸水纸一页一页地隔开，花了两个月才把它们晾干。',
    '租用会议室须至少提前三个工作日预约，并缴纳百分之二十的定金。使用时间从进门开始计算，不足半小时的按半小时收费。投影仪和音响免费提供，同声传译设备需要另外付费。如因停电或其他不可抗力无法使用，定金全额退还；租用人自行取消的，提前一天可退一半。会议结束后请关闭空调，把桌椅放回原处，并把钥匙交还前台。',
    '这片茶园在海拔九百米的山坡上，早晨常常有雾，土壤偏酸，适合种植绿茶。每年清明前后是最忙的时候，附近村子里的妇女天不亮就上山采摘，一个熟练的人一天能采三斤嫩叶。茶叶当天就要炒制，火候全凭师傅的经验。近几年年轻人多去城里打工，茶园便请了一些大学生来帮忙，同时把采茶的过程拍成短片放到网上，没想到销量增加了一倍。',
  ],
  fr: [
    'La coopérative réunit quarante-deux maraîchers de la vallée, qui vendent leurs légumes sans intermédiaire depuis 2011. Chaque jeudi, les paniers sont préparés dans l’ancienne gare, puis livrés à vélo dans un rayon de six kilomètres. L’adhésion coûte trente euros par an et donne droit à une voix à l’assemblée. L’an dernier, la sécheresse a réduit la récolte de tomates d’un tiers, si bien que les membres ont décidé de creuser un second bassin. Les travaux, estimés à 18 400 euros, commenceront après les vendanges.',
    'Le musée ferme le lundi et les jours fériés, sauf le 14 juillet. La visite de l’atelier se fait par groupes de douze personnes au plus, accompagnées d’un guide ; il est conseillé de réserver au moins une semaine à l’avance. Les photographies sont permises sans éclair, à l’exception de la salle des dessins, dont les feuilles ne supportent pas la lumière. Un ascenseur dessert tous les étages, et des fauteuils roulants sont prêtés à l’entrée contre une pièce d’identité.',
  ],
};

/** Texts in this repository, by language. */
export function textsOfRepository(): ReadonlyMap<string, readonly string[]> {
  const file = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
  const texts = new Map<string, string[]>([
    ['en', [file('lighthouse.md')]],
    ['ru', [file('protocol-ru.txt')]],
  ]);
  const add = (language: string, text: string) =>
    texts.set(language, [...(texts.get(language) ?? []), text]);
  for (const part of SAMPLE_PARTS)
    for (const { language, text } of readSamples(part)) add(language, text);
  for (const [language, written] of Object.entries(WRITTEN))
    for (const text of written) add(language, text);
  return texts;
}
