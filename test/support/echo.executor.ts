import { AgentExecutor, type AgentCardInput, type AgentEmitter, type RequestContext } from 'nestjs-a2a';

/** Answers with the text it was sent, behind a word of its own. */
export class EchoExecutor extends AgentExecutor {
  constructor(private readonly word = 'echo') {
    super();
  }

  override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    await emitter.addArtifact(`${this.word} ${context.text}`);
    await emitter.complete();
  }
}

/** A card with no more than a name. */
export function cardOf(name: string): AgentCardInput {
  return { name, description: `The ${name} agent` };
}
