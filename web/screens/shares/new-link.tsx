import { useMemo, useState } from 'preact/hooks';
import { noteChange } from '../../data/live.ts';
import { useResource } from '../../data/resource.ts';
import { t } from '../../i18n/shares.ts';
import { Working } from '../../ui/notice.tsx';
import { LinkFields } from './link-fields.tsx';
import { MadeLink } from './made-link.tsx';
import { SharePanel, focusWrong } from './panel.tsx';
import { Refusal } from './refusal.tsx';
import { readPreview, type SharedItem, type ShareLink, type Subject } from './share-data.ts';
import { takeOut } from './take-out.ts';
import {
  NEW_TERMS,
  createShare,
  refusedFields,
  wrongFields,
  type TermField,
  type Terms,
} from './terms.ts';
import { VisitorView } from './visitor-view.tsx';
import { Warnings } from './warnings.tsx';

export interface NewLinkProps {
  readonly subject: Subject;
  /** Whether several documents were chosen, and this is their folder. */
  readonly isOfSeveral: boolean;
  readonly onClose: () => void;
}

interface Made {
  readonly share: ShareLink;
  readonly password: string;
}

/** A new link: what a visitor will see, before it is made. */
export function NewLink({ subject, isOfSeveral, onClose }: NewLinkProps) {
  const { shares } = t();
  const { kind, id } = subject;
  const [terms, setTerms] = useState<Terms>(NEW_TERMS);
  const [wrong, setWrong] = useState<readonly TermField[]>([]);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [made, setMade] = useState<Made>();
  // Of these terms: a repeat makes no second link, other terms make another one.
  const key = useMemo(() => crypto.randomUUID(), [terms]);
  const preview = useResource(`${kind} ${id}`, (signal) => readPreview(subject, signal), [
    'objects',
    'folders',
  ]);
  const change = (changed: Terms) => {
    setTerms(changed);
    setWrong(wrong.filter((field) => wrongFields(changed).includes(field)));
  };
  const refuse = (fields: readonly TermField[]) => {
    setWrong(fields);
    if (fields.length > 0) focusWrong();
  };
  const make = async () => {
    if (isBusy || !preview.data) return;
    setError(undefined);
    const before = wrongFields(terms);
    refuse(before);
    if (before.length > 0) return;
    setBusy(true);
    try {
      setMade({ share: await createShare(subject, terms, key), password: terms.password });
      noteChange('shares');
    } catch (cause) {
      const fields = refusedFields(cause);
      refuse(fields);
      if (fields.length === 0) setError(cause);
    } finally {
      setBusy(false);
    }
  };
  const takeOutOf = (item: SharedItem) => {
    setError(undefined);
    takeOut(item.id, id).catch(setError);
  };
  if (made) return <MadeLink {...made} onClose={onClose} />;
  const contents = preview.data?.contents;
  return (
    <SharePanel
      title={shares.newLinkTo}
      {...(contents && { subject: contents.resource_name })}
      close={shares.closeUnmade}
      onClose={onClose}
      onSubmit={() => void make()}
      foot={
        <>
          <span class="soft grow">{shares.shownOnce}</span>
          <button type="submit" class="button strong" disabled={isBusy || !contents}>
            {isBusy ? shares.making : shares.make}
          </button>
        </>
      }
    >
      {preview.error !== undefined && <Refusal error={preview.error} retry={preview.reload} />}
      {!preview.data && preview.isLoading && (
        <div class="late">
          <Working>{shares.looking}</Working>
        </div>
      )}
      {contents && preview.data && (
        <>
          {isOfSeveral && <p class="note plain">{shares.ofSeveral}</p>}
          <LinkFields
            kind={kind}
            resource={contents.resource_name}
            terms={terms}
            wrong={wrong}
            onChange={change}
          />
          <VisitorView
            contents={contents}
            name={terms.name.trim()}
            hasPassword={terms.password !== ''}
            mayAdd={terms.mayAdd}
            warnings={preview.data.warnings}
            onTakeOut={takeOutOf}
          />
          <Warnings kind={kind} warnings={preview.data.warnings} />
        </>
      )}
      <Refusal error={error} />
    </SharePanel>
  );
}
