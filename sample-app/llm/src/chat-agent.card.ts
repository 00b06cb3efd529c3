import type { AgentCardInput } from 'nestjs-a2a';

/** What callers read about the agent before they send it anything. */
export const CHAT_AGENT_CARD: AgentCardInput = {
  name: 'Chat Agent',
  description: 'Answers questions with a language model, and remembers the conversation.',
  version: '1.0.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [
    {
      id: 'chat',
      name: 'Chat',
      description: 'Answers in text, word by word where the caller streams.',
      tags: ['chat', 'llm'],
      examples: ['Explain A2A in three sentences'],
    },
  ],
};
