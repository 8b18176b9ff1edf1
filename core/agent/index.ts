export { agentChat, type AgentTurn } from './chat.ts';
export { confirmAgent } from './confirm.ts';
export { redoAgentStep, undoAgentStep, type UndoneStep } from './undo.ts';
export { AGENT_UNDO_MS } from './undo-record.ts';
export { sweepExpiredUndos } from './undo-sweep.ts';
