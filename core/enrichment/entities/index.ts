import type { Entities } from '../../../ports/enrichments.ts';
import { amountsOf } from './amounts.ts';
import { emailsOf, phonesOf, urlsOf } from './contacts.ts';
import { datesOf, type FoundDate } from './dates.ts';
import { organizationsOf, peopleOf } from './names.ts';
import { listed, type Found } from './spans.ts';

export { datesOf, type FoundDate } from './dates.ts';

export const ENTITY_KINDS = [
  'dates',
  'amounts',
  'emails',
  'urls',
  'phones',
  'people',
  'organizations',
] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** The entities by kind, with their ranges. */
export interface FoundEntities extends Readonly<Record<EntityKind, readonly Found[]>> {
  readonly dates: readonly FoundDate[];
}

/** The entities of a chunk of text that is small enough for one slice. */
export function findEntities(text: string, language: string): FoundEntities {
  const emails = emailsOf(text);
  const urls = urlsOf(text);
  const dates = datesOf(text, language);
  const amounts = amountsOf(text);
  const phones = phonesOf(text, [...emails, ...urls, ...dates, ...amounts]);
  const organizations = organizationsOf(text);
  const people = peopleOf(text, [...organizations, ...emails, ...urls]);
  return { dates, amounts, emails, urls, phones, people, organizations };
}

export const listedEntities = (found: FoundEntities): Entities =>
  Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, listed(found[kind])]));
