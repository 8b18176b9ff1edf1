import { signal } from '@preact/signals';

/** Whether the preview is shown beside the list, for as long as the tab is open. */
export const isPreviewOpen = signal(false);

export const openPreview = (): void => {
  isPreviewOpen.value = true;
};

export const togglePreview = (): void => {
  isPreviewOpen.value = !isPreviewOpen.value;
};
