import { commentText, formText, type Comment } from './annotations-text.ts';

/** The part of a pdf.js document that is needed. */
interface AnnotatedPdf {
  getAnnotationsByType(types: Set<number>, pagesToSkip: Set<number>): Promise<readonly unknown[]>;
}

/** The part of the annotation data of pdf.js that is read (ISO 32000-1 §12.5, §12.7). */
interface Annotation {
  readonly pageIndex: number;
  readonly annotationType: number;
  readonly annotationFlags?: number;
  readonly contentsObj?: { readonly str?: string };
  readonly titleObj?: { readonly str?: string };
  readonly fieldType?: string | null;
  readonly fieldName?: string;
  readonly fieldValue?: unknown;
  readonly alternativeText?: string;
  readonly password?: boolean;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  readonly exportValue?: string;
  readonly buttonValue?: string;
  readonly options?: readonly { readonly exportValue?: string; readonly displayValue?: string }[];
}

const WIDGET = 20;
/** Text, free text, shapes, markup of text, stamp, caret and ink: comments of a reader. Links are left out. */
const COMMENTS = [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/** `Hidden` and `NoView` (table 165): never shown on the screen. */
const INVISIBLE = 0b10_0010;
const MAX_ANNOTATIONS = 20_000;

/**
 * The filled form fields and the comments on each page, by page index. Only their types are parsed: all annotations take
 * longer than the text of a page with a few links.
 */
export async function annotationsOf(pdf: AnnotatedPdf): Promise<ReadonlyMap<number, string>> {
  const found = await pdf
    .getAnnotationsByType(new Set([...COMMENTS, WIDGET]), new Set())
    // Damaged annotations do not prevent reading the text.
    .catch(() => []);
  const pages = new Map<number, { fields: Set<string>; comments: Comment[] }>();
  for (const annotation of found.slice(0, MAX_ANNOTATIONS) as readonly Annotation[]) {
    if (((annotation.annotationFlags ?? 0) & INVISIBLE) !== 0) continue;
    const page = pages.get(annotation.pageIndex) ?? { fields: new Set(), comments: [] };
    pages.set(annotation.pageIndex, page);
    if (annotation.annotationType === WIDGET) {
      const value = valueOf(annotation);
      if (value !== '') page.fields.add(`${labelOf(annotation)}: ${value}`);
    } else
      page.comments.push({
        author: annotation.titleObj?.str ?? '',
        text: annotation.contentsObj?.str ?? '',
      });
  }
  return new Map(
    [...pages].map(([index, { fields, comments }]) => [
      index,
      [formText([...fields]), commentText(comments)].filter((part) => part !== '').join('\n\n'),
    ]),
  );
}

const labelOf = ({ alternativeText, fieldName }: Annotation): string =>
  alternativeText?.trim() || fieldName?.trim() || 'unnamed';

/** As shown: the chosen option, not its value for export; '' for an empty field. */
function valueOf(field: Annotation): string {
  if (field.password === true) return '';
  if (field.fieldType === 'Btn') return stateOf(field);
  if (field.fieldType !== 'Tx' && field.fieldType !== 'Ch') return '';
  const values = (Array.isArray(field.fieldValue) ? field.fieldValue : [field.fieldValue]).filter(
    (value): value is string => typeof value === 'string',
  );
  const shown = values.map(
    (value) => field.options?.find((option) => option.exportValue === value)?.displayValue ?? value,
  );
  return shown.join(', ').trim();
}

/** The state of a checked box is often a mere number or word for it. */
function stateOf({ checkBox, radioButton, fieldValue, exportValue, buttonValue }: Annotation) {
  if (typeof fieldValue !== 'string' || fieldValue === 'Off') return '';
  if (checkBox === true && fieldValue === exportValue)
    return /^(?:yes|on|true|\d*)$/i.test(fieldValue) ? 'yes' : fieldValue;
  return radioButton === true && fieldValue === buttonValue ? fieldValue : '';
}
