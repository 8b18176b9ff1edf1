export { boundsOf, countBefore, endingAt, isOccurrence, withoutFirst } from './bounds.ts';
export { formatRule } from './format.ts';
export { ruleLabel } from './label.ts';
export { occurrences } from './occurrences.ts';
export { MAX_RULE_LENGTH, parseRule, type ParsedRule } from './parse.ts';
export type { Frequency, Occurrence, Recurrence, Rule, Until } from './rule.ts';
