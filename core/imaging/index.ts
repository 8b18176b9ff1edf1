export { hasEnded } from './queue.ts';
export { IMAGE_TASK, requestImageOperation } from './request.ts';
export { runImageOperation, type RunImageDeps } from './run.ts';
export { imageOperationStatus } from './status.ts';
