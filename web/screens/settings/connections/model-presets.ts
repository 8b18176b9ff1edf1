/** A model service with chat completions as OpenAI has them. */
export interface ModelPreset {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** A model as it is named there. */
  readonly example: string;
  /** Runs on a machine of the owner: it needs no key unless it was started with one. */
  readonly isLocal: boolean;
}

/**
 * The addresses of the documentation of each, for a model that runs on the machine of the service. `llama-server` listens
 * at the port of this service by default, and has to be started with another.
 */
export const MODEL_PRESETS: readonly ModelPreset[] = [
  local('ollama', 'Ollama', 'http://localhost:11434/v1', 'qwen3:8b'),
  local('llamacpp', 'llama.cpp', 'http://localhost:8081/v1', 'default'),
  local('vllm', 'vLLM', 'http://localhost:8000/v1', 'Qwen/Qwen3-8B'),
  local('lmstudio', 'LM Studio', 'http://localhost:1234/v1', 'qwen/qwen3-8b'),
  hosted('openai', 'OpenAI', 'https://api.openai.com/v1', 'gpt-5-mini'),
  hosted('mistral', 'Mistral', 'https://api.mistral.ai/v1', 'mistral-small-latest'),
  hosted('groq', 'Groq', 'https://api.groq.com/openai/v1', 'llama-3.3-70b-versatile'),
  hosted('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', 'qwen/qwen3-8b'),
  hosted('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1', 'deepseek-chat'),
];

function local(id: string, name: string, url: string, example: string): ModelPreset {
  return { id, name, url, example, isLocal: true };
}

function hosted(id: string, name: string, url: string, example: string): ModelPreset {
  return { id, name, url, example, isLocal: false };
}

export const modelPresetAt = (url: string): ModelPreset | undefined =>
  MODEL_PRESETS.find((each) => each.url === url.trim().replace(/\/$/, ''));
