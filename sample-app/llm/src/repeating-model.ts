import { simulateReadableStream, type LanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';

const USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** A model that repeats the last thing it was told, word by word. It needs nobody to pay for it. */
export function repeatingModel(): LanguageModel {
  return new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      const last = prompt.findLast(({ role }) => role === 'user');
      const told = last?.role === 'user' ? last.content.map((part) => (part.type === 'text' ? part.text : '')) : [];
      const words = `You said: ${told.join(' ')}`.split(/(?<= )/);
      return {
        stream: simulateReadableStream({
          initialDelayInMs: null,
          chunkDelayInMs: null,
          chunks: [
            { type: 'text-start', id: '1' },
            ...words.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
            { type: 'text-end', id: '1' },
            { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: USAGE },
          ],
        }),
      };
    },
  });
}
