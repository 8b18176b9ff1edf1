export { isOperator, operatorState, type OperatorState } from './state.ts';
