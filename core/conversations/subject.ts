/**
 * What a change that waits for the owner is about, as it was named when the owner was asked. The service reads the names of
 * the ids in the arguments. Nothing in it was written by a model, except the entry of an event that is to be created.
 */
export interface Subject {
  readonly objects: readonly { readonly id: string; readonly filename: string }[];
  readonly folder: { readonly id: string; readonly name: string } | null;
  /** Times as in the arguments. */
  readonly event: {
    readonly title: string;
    readonly starts_at: string;
    readonly ends_at: string;
  } | null;
}

/** Of a run that was suspended before subjects were stored. */
export const NO_SUBJECT: Subject = { objects: [], folder: null, event: null };
