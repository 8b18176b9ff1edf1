import type { QuestionLanguage } from '../text/index.ts';
import { MAX_COUNTED_OBJECTS } from './coverage.ts';

/** Why nothing was found. */
export type NoAnswerReason =
  /** Files were searched, but none is relevant. */
  | 'no-match'
  /** The same for a selected folder or selected files: others were not searched. */
  | 'no-match-there'
  /** The selected folder or files contain no searchable text. */
  | 'nothing-there'
  /** There are no files yet. */
  | 'no-files';

const SILENCE: Readonly<Record<QuestionLanguage, Readonly<Record<NoAnswerReason, string>>>> = {
  en: {
    'no-match': 'I found nothing about this in your documents.',
    'no-match-there': 'I found nothing about this in the folder or files you chose.',
    'nothing-there': 'There is nothing to search in the folder or files you chose.',
    'no-files': 'There are no documents to search yet.',
  },
  ru: {
    'no-match': 'В ваших документах об этом ничего не нашлось.',
    'no-match-there': 'В выбранной папке или среди выбранных файлов об этом ничего не нашлось.',
    'nothing-there': 'В выбранной папке или среди выбранных файлов нечего искать.',
    'no-files': 'Документов, в которых можно искать, пока нет.',
  },
  de: {
    'no-match': 'In Ihren Dokumenten habe ich dazu nichts gefunden.',
    'no-match-there':
      'In dem gewählten Ordner oder den gewählten Dateien habe ich dazu nichts gefunden.',
    'nothing-there':
      'In dem gewählten Ordner oder den gewählten Dateien gibt es nichts zu durchsuchen.',
    'no-files': 'Es gibt noch keine Dokumente, die durchsucht werden könnten.',
  },
  fr: {
    'no-match': 'Je n’ai rien trouvé à ce sujet dans vos documents.',
    'no-match-there': 'Je n’ai rien trouvé à ce sujet dans le dossier ou les fichiers choisis.',
    'nothing-there': 'Il n’y a rien à chercher dans le dossier ou les fichiers choisis.',
    'no-files': 'Il n’y a pas encore de documents à consulter.',
  },
  es: {
    'no-match': 'No he encontrado nada sobre esto en sus documentos.',
    'no-match-there': 'No he encontrado nada sobre esto en la carpeta o los archivos elegidos.',
    'nothing-there': 'No hay nada que buscar en la carpeta o los archivos elegidos.',
    'no-files': 'Todavía no hay documentos en los que buscar.',
  },
  zh: {
    'no-match': '在您的文档中没有找到相关内容。',
    'no-match-there': '在所选的文件夹或文件中没有找到相关内容。',
    'nothing-there': '所选的文件夹或文件中没有可供搜索的内容。',
    'no-files': '目前还没有可供搜索的文档。',
  },
};

type Count = Readonly<Record<QuestionLanguage, (count: number) => string>>;

const AWAITED: Count = {
  en: (n) => `${n === 1 ? 'One file is' : `${n} files are`} still being read.`,
  ru: (n) => `Файлов, которые ещё читаются: ${n}.`,
  de: (n) => (n === 1 ? 'Eine Datei wird noch gelesen.' : `${n} Dateien werden noch gelesen.`),
  fr: (n) =>
    n === 1
      ? 'Un fichier est encore en cours de lecture.'
      : `${n} fichiers sont encore en cours de lecture.`,
  es: (n) => (n === 1 ? 'Un archivo aún se está leyendo.' : `${n} archivos aún se están leyendo.`),
  zh: (n) => `还有 ${n} 个文件正在读取。`,
};

const UNREADABLE: Count = {
  en: (n) => `${n === 1 ? 'One file' : `${n} files`} cannot be read.`,
  ru: (n) => `Файлов, которые не читаются: ${n}.`,
  de: (n) => (n === 1 ? 'Eine Datei ist nicht lesbar.' : `${n} Dateien sind nicht lesbar.`),
  fr: (n) => (n === 1 ? 'Un fichier n’est pas lisible.' : `${n} fichiers ne sont pas lisibles.`),
  es: (n) => (n === 1 ? 'Un archivo no se puede leer.' : `${n} archivos no se pueden leer.`),
  zh: (n) => `有 ${n} 个文件无法读取。`,
};

type Phrase = Readonly<Record<QuestionLanguage, string>>;

const SOME_AWAITED: Phrase = {
  en: 'Some files are still being read.',
  ru: 'Некоторые файлы ещё читаются.',
  de: 'Einige Dateien werden noch gelesen.',
  fr: 'Des fichiers sont encore en cours de lecture.',
  es: 'Algunos archivos aún se están leyendo.',
  zh: '还有一些文件正在读取。',
};

const SOME_UNREADABLE: Phrase = {
  en: 'Some files cannot be read.',
  ru: 'Некоторые файлы не читаются.',
  de: 'Einige Dateien sind nicht lesbar.',
  fr: 'Certains fichiers ne sont pas lisibles.',
  es: 'Algunos archivos no se pueden leer.',
  zh: '有一些文件无法读取。',
};

/**
 * The sentences for an unanswered question, in its language. They give a number only where the conversation holds the counted
 * objects: it is concealed together with one of them.
 */
export function noAnswerText(
  language: QuestionLanguage,
  why: NoAnswerReason,
  { unread, awaited }: { readonly unread: number; readonly awaited: number },
): string {
  const unreadable = unread - awaited;
  const isCounted = unread <= MAX_COUNTED_OBJECTS;
  const sentence = (count: number, some: Phrase, counted: Count) =>
    isCounted ? counted[language](count) : some[language];
  return [
    SILENCE[language][why],
    ...(awaited > 0 ? [sentence(awaited, SOME_AWAITED, AWAITED)] : []),
    ...(unreadable > 0 ? [sentence(unreadable, SOME_UNREADABLE, UNREADABLE)] : []),
  ].join(language === 'zh' ? '' : ' ');
}

const SEE_ALSO: Readonly<Record<QuestionLanguage, (places: string) => string>> = {
  en: (places) => `See also ${places}`,
  ru: (places) => `См. также ${places}`,
  de: (places) => `Siehe auch ${places}`,
  fr: (places) => `Voir aussi ${places}`,
  es: (places) => `Véase también ${places}`,
  zh: (places) => `另见 ${places}`,
};

/** Introduces citations that are not quoted. */
export const seeAlso = (language: QuestionLanguage, places: string): string =>
  SEE_ALSO[language](places);
