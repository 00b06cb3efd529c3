/** Which model the agent speaks with. */
export type LlmSettings =
  | { readonly mock: true }
  | { readonly mock: false; readonly baseUrl: string; readonly model: string; readonly apiKey?: string };

const HELP = [
  'Set which OpenAI-compatible provider answers:',
  '  LLM_BASE_URL  for example https://api.openai.com/v1, or http://localhost:11434/v1',
  '  LLM_MODEL     for example gpt-4o-mini',
  '  LLM_API_KEY   leave it out where none is needed',
  'Or try it without one, on a model that only repeats what it is told: LLM_MOCK=true',
];

/** What the environment lacks, as a text for whoever starts the agent. */
export class LlmSettingsError extends Error {
  constructor(faults: readonly string[]) {
    super([...faults, '', ...HELP].join('\n'));
    this.name = new.target.name;
  }
}

/** @throws LlmSettingsError that names all faults at once */
export function llmSettings(environment: Readonly<Record<string, string | undefined>>): LlmSettings {
  const valueOf = (name: string): string => environment[name]?.trim() ?? '';
  if (valueOf('LLM_MOCK') === 'true') return { mock: true };
  const baseUrl = valueOf('LLM_BASE_URL');
  const model = valueOf('LLM_MODEL');
  const apiKey = valueOf('LLM_API_KEY');
  const faults = [
    ...(baseUrl === '' ? ['LLM_BASE_URL is not set'] : []),
    ...(baseUrl !== '' && !isHttpUrl(baseUrl) ? ['LLM_BASE_URL is not an http or https URL'] : []),
    ...(model === '' ? ['LLM_MODEL is not set'] : []),
  ];
  if (faults.length > 0) throw new LlmSettingsError(faults);
  return { mock: false, baseUrl, model, ...(apiKey !== '' && { apiKey }) };
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
