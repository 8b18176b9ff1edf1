import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('ru');

export const search: Messages['search'] = {
  resultsFor: (query: string) => `Результаты по запросу «${query}»`,
  results: 'Результаты',
  found: (count: number) =>
    plural(count, {
      one: 'Найден # документ',
      few: 'Найдено # документа',
      many: 'Найдено # документов',
      other: 'Найдено # документа',
    }),
  searching: 'Идёт поиск',
  askThis: 'Спросить об этом',
  inItsName: 'Слова есть в имени.',
  more: 'Показать ещё',
  nothing: 'Подходящих документов нет.',
  nothingIn: 'Этих слов нет ни в именах, ни в тексте документов.',
  dropHint: 'Если убрать часть условий, найдётся:',
  withoutWord: (word: string) => `Без «${word}»`,
  withoutFilter: (filter: string) => `Без фильтра «${filter}»`,
  asWords: (phrase: string) => `${phrase} отдельными словами`,
  asBeginning: (word: string) => `Слова, которые начинаются с «${word}»`,
  documents: (count: number) =>
    plural(count, {
      one: '# документ',
      few: '# документа',
      many: '# документов',
      other: '# документа',
    }),
  noneSuggested: 'Попробуйте другие слова. То, что ещё читается, найдётся позже.',
  filters: {
    kind: 'вид',
    doc_type: 'тип',
    collection_id: 'папка',
    theme_id: 'тема',
    uncategorized: 'без папки',
    is_link: 'ссылки',
    notes_only: 'заметки',
    status: 'состояние',
    category: 'метка',
    has_suggestion: 'предложение',
    created_from: 'добавлено с',
    created_to: 'добавлено по',
  },
  paletteTitle: 'Палитра команд',
  paletteHint: 'Имя или > / # @ : ! ?',
  paletteEmpty: 'Ничего не найдено.',
  paletteCount: (count: number) =>
    plural(count, {
      one: '# вариант',
      few: '# варианта',
      many: '# вариантов',
      other: '# варианта',
    }),
  sections: {
    documents: 'Документы',
    folders: 'Папки и темы',
    actions: 'Действия',
    labels: 'Метки',
    events: 'События',
    settings: 'Настройки',
    ask: 'Вопросы',
  },
  prefixes: {
    '>': 'действия',
    '/': 'папки',
    '#': 'метки',
    '@': 'люди и организации',
    ':': 'события',
    '!': 'настройки',
    '?': 'спросить',
  },
  askQuestion: (question: string) => `Спросить «${question}»`,
};
