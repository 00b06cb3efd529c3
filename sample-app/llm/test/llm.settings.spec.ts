import { describe, expect, it } from '@jest/globals';
import { llmSettings, LlmSettingsError } from '../src/llm.settings.js';

const BASE_URL = 'http://localhost:11434/v1';

describe('llmSettings', () => {
  it.each<[string, Record<string, string>, object]>([
    [
      'a provider',
      { LLM_BASE_URL: BASE_URL, LLM_MODEL: 'm', LLM_API_KEY: 'k' },
      { mock: false, baseUrl: BASE_URL, model: 'm', apiKey: 'k' },
    ],
    [
      'one without a key',
      { LLM_BASE_URL: ` ${BASE_URL} `, LLM_MODEL: 'm', LLM_API_KEY: '' },
      { mock: false, baseUrl: BASE_URL, model: 'm' },
    ],
    ['the mock', { LLM_MOCK: 'true' }, { mock: true }],
  ])('reads %s', (_what, environment, settings) => {
    expect(llmSettings(environment)).toEqual(settings);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['nothing is set', {}, ['LLM_BASE_URL is not set', 'LLM_MODEL is not set', 'LLM_API_KEY', 'LLM_MOCK=true']],
    ['the URL is none', { LLM_BASE_URL: 'localhost:11434', LLM_MODEL: 'm' }, ['LLM_BASE_URL is not an http']],
    ['the mock is not meant', { LLM_MOCK: '' }, ['LLM_BASE_URL is not set']],
  ])('says what to set when %s', (_what, environment, texts) => {
    expect(() => llmSettings(environment)).toThrow(LlmSettingsError);
    for (const text of texts) expect(() => llmSettings(environment)).toThrow(text);
  });
});
