export {
  ENRICH_TASK,
  RESUME_TASK,
  endPause,
  findPause,
  letProbe,
  pauseModel,
  skipProbe,
  type ModelPause,
} from './model-pause.ts';
export { countWaitingDocuments } from './waiting-documents.ts';
