export { hiddenLocked } from './errors.ts';
export { seesAll, type References } from './hidden-references.ts';
export {
  visibilityForRequest,
  canSee,
  visibilityFor,
  zoneFor,
  zoneOfBackground,
  type Zone,
  type ZoneDeps,
} from './zone.ts';
