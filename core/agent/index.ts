export { agentChat, type AgentTurn } from './chat.ts';
