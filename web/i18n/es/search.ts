import type { Messages } from '../messages.ts';
import { pluralOf } from '../plural.ts';

const plural = pluralOf('es');

export const search: Messages['search'] = {
  resultsFor: (query: string) => `Resultados de «${query}»`,
  results: 'Resultados',
  found: (count: number) =>
    plural(count, {
      one: '# documento encontrado',
      many: '# de documentos encontrados',
      other: '# documentos encontrados',
    }),
  searching: 'Buscando',
  askThis: 'Preguntar esto',
  inItsName: 'Las palabras están en su nombre.',
  more: 'Mostrar más',
  nothing: 'Ningún documento coincide.',
  nothingIn: 'Ningún documento tiene estas palabras, ni en el nombre ni en el texto.',
  dropHint: 'Con menos se encuentra:',
  withoutWord: (word: string) => `Sin «${word}»`,
  withoutFilter: (filter: string) => `Sin el filtro ${filter}`,
  asWords: (phrase: string) => `${phrase} como palabras sueltas`,
  asBeginning: (word: string) => `Palabras que empiezan por «${word}»`,
  documents: (count: number) =>
    plural(count, { one: '# documento', many: '# de documentos', other: '# documentos' }),
  noneSuggested:
    'Quizá lo encuentren otras palabras. Lo que aún se está leyendo se encontrará más tarde.',
  filters: {
    kind: 'clase',
    doc_type: 'tipo',
    collection_id: 'carpeta',
    theme_id: 'tema',
    uncategorized: 'sin carpeta',
    is_link: 'enlaces',
    notes_only: 'notas',
    status: 'estado',
    category: 'etiqueta',
    has_suggestion: 'sugerencia',
    created_from: 'añadido desde',
    created_to: 'añadido hasta',
  },
  paletteTitle: 'Paleta',
  paletteHint: 'Un nombre, o > / # @ : ! ?',
  paletteEmpty: 'No se encontró nada.',
  paletteCount: (count: number) =>
    plural(count, { one: '# opción', many: '# de opciones', other: '# opciones' }),
  sections: {
    documents: 'Documentos',
    folders: 'Carpetas y temas',
    actions: 'Acciones',
    labels: 'Etiquetas',
    events: 'Eventos',
    settings: 'Ajustes',
    ask: 'Preguntar',
  },
  prefixes: {
    '>': 'acciones',
    '/': 'carpetas',
    '#': 'etiquetas',
    '@': 'personas y empresas',
    ':': 'eventos',
    '!': 'ajustes',
    '?': 'preguntar',
  },
  askQuestion: (question: string) => `Preguntar «${question}»`,
};
