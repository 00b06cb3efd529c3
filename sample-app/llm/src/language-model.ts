import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { LlmSettings } from './llm.settings.js';
import { repeatingModel } from './repeating-model.js';

/** The model that the settings name. */
export function languageModel(settings: LlmSettings): LanguageModel {
  if (settings.mock) return repeatingModel();
  const { baseUrl: baseURL, model, apiKey } = settings;
  return createOpenAICompatible({ name: 'llm', baseURL, apiKey })(model);
}
