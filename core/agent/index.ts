export { agentChat, type AgentTurn } from './chat.ts';
export { confirmAgent } from './confirm.ts';
