import { ContentTypeNotSupportedError, mediaTypeMatches, type AgentCard, type Message } from 'nestjs-a2a/protocol';

/** What of the agent's card decides over calls. */
export class AgentProfile {
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedAgentCard: boolean;
  /** URIs of the extensions that the card declares. */
  readonly extensions: ReadonlySet<string>;
  /** Those of them without which the agent takes no message. */
  readonly requiredExtensions: readonly string[];
  private readonly inputModes: readonly string[];

  constructor(card: Pick<AgentCard, 'capabilities' | 'defaultInputModes' | 'skills'>) {
    const { capabilities, defaultInputModes, skills } = card;
    const extensions = capabilities.extensions ?? [];
    this.streaming = capabilities.streaming === true;
    this.pushNotifications = capabilities.pushNotifications === true;
    this.extendedAgentCard = capabilities.extendedAgentCard === true;
    this.extensions = new Set(extensions.flatMap(({ uri }) => (uri ? [uri] : [])));
    this.requiredExtensions = extensions.flatMap(({ uri, required }) => (uri && required === true ? [uri] : []));
    this.inputModes = [...defaultInputModes, ...skills.flatMap((skill) => skill.inputModes ?? [])];
  }

  /** @throws ContentTypeNotSupportedError when a part says it is something that the agent does not take */
  checkInput(message: Message): void {
    message.parts.forEach(({ mediaType }, index) => {
      if (mediaType === undefined || mediaType === '' || mediaTypeMatches(mediaType, this.inputModes)) return;
      throw new ContentTypeNotSupportedError(
        `message.parts[${index}] is ${mediaType}; this agent takes ${this.inputModes.join(', ')}`,
      );
    });
  }
}
