import { AsyncResource } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import { ANONYMOUS_USER } from '../../authorization/a2a-user.js';
import { textOfThrown } from '../../thrown-value.js';
import type { SkillList } from './skill-descriptor.js';
import type { SkillReader } from './skill-reader.js';

/** One answer of the source, as the card is made of it. */
export interface KnownSkills {
  readonly list: SkillList;
  /** Undefined for what JSON has no form for: then it is like no other answer. */
  readonly text: string | undefined;
}

const DEFAULT_MAX_AGE_SECONDS = 10;

/** What the public card keeps for a while, so that callers cannot make the source work for each request. */
export class PublicSkills {
  private known: KnownSkills | undefined;
  private failure: unknown;
  private askedAt = -Infinity;
  private asking: Promise<void> | undefined;
  // Asked within a request, a source that looks at its AsyncLocalStorage would show everybody what one caller may see.
  private readonly outside = new AsyncResource('A2A_SKILLS');

  constructor(
    private readonly reader: SkillReader,
    private readonly maxAgeSeconds = DEFAULT_MAX_AGE_SECONDS,
    private readonly logger: LoggerService,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * The skills that everybody may see: the very same object as long as nothing in it has changed.
   *
   * @throws what the source threw, while it has not answered once
   */
  async current(): Promise<KnownSkills> {
    if (this.asking !== undefined || this.now() - this.askedAt >= this.maxAgeSeconds * 1000) {
      await (this.asking ??= this.askOutside());
    }
    if (this.known === undefined) throw this.failure;
    return this.known;
  }

  private askOutside(): Promise<void> {
    return this.outside.runInAsyncScope(() => this.ask()).finally(() => (this.asking = undefined));
  }

  private async ask(): Promise<void> {
    try {
      const list = await this.reader.read(ANONYMOUS_USER, '');
      const text = textOf(list);
      if (text === undefined || this.known?.text !== text) this.known = { list, text };
    } catch (error) {
      this.failure = error;
      if (this.known !== undefined) {
        this.logger.error(`Agent card: its skills stay as they were. ${textOfThrown(error)}`);
      }
    }
    this.askedAt = this.now();
  }
}

/** What is wrong with a list is for the check of the card to say. */
function textOf(list: SkillList): string | undefined {
  try {
    return JSON.stringify(list);
  } catch {
    return undefined;
  }
}
