import { t } from '../i18n/language.ts';

/** Says in a list that a document is hidden. It is shown in the tab that has opened the hidden zone. */
export const HiddenMark = ({ item }: { item: { readonly is_hidden: boolean } }) =>
  item.is_hidden ? <span class="tag hidden-mark">{t().hidden.hiddenOne}</span> : null;
