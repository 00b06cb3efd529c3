import type { LoggerService } from '@nestjs/common';
import type { AgentCard, SecurityRequirement, SecurityScheme } from 'nestjs-a2a/protocol';
import { AgentProfile } from '../../agent/agent-profile.js';
import { assembleAgentCard, type MountedInterface } from '../../agent/card/agent-card.assembler.js';
import { AgentCardDocument } from '../../agent/card/agent-card.document.js';
import { AgentCardError } from '../../agent/card/agent-card.error.js';
import type { AgentCardTemplate } from '../../agent/card/agent-card-template.js';
import type { CardSigner } from '../../agent/card/signing/card-signer.js';
import type { ServerCallContext } from '../../agent/server-call-context.js';
import { PublicSkills, type KnownSkills } from '../../agent/skills/public-skills.js';
import { SkillReader } from '../../agent/skills/skill-reader.js';
import type { SkillSource } from '../../agent/skills/skill-source.js';
import { textOfThrown } from '../../thrown-value.js';
import { CardMaker, type CardParts } from './card-maker.js';

const MAX_DOCUMENTS = 16;
/** How long caches may keep a card whose skills may change, in seconds. */
const CHANGING_MAX_AGE_SECONDS = 300;

/** What the card is made from, besides what its author wrote. */
export interface AgentCardServices extends CardParts {
  readonly logger: LoggerService;
  /** Where further skills come from. Default: nowhere. */
  readonly skills?: SkillSource;
  /** Signs the cards; absent: they are not signed. */
  readonly signer?: CardSigner;
  /** What is mounted, with addresses below this base. */
  interfaces(baseUrl: string): MountedInterface[];
  /** The base of the card's addresses when no request says better. */
  defaultBaseUrl(): string;
}

/** The public card as it is now. */
interface PublicCard {
  readonly template: AgentCardTemplate;
  readonly profile: AgentProfile;
  readonly since: Date;
  readonly documents: Map<string, AgentCardDocument>;
}

/** The agent's card: checked at start, served with the addresses of what is mounted and the skills of this time. */
export class AgentCardService {
  private readonly maker: CardMaker;
  private readonly reader: SkillReader | undefined;
  private readonly skills: PublicSkills | undefined;
  private card: PublicCard | undefined;
  private madeOf: KnownSkills | undefined;
  private making: Promise<void> | undefined;
  private signing = false;

  constructor(private readonly services: AgentCardServices) {
    const { skills, logger } = services;
    this.maker = new CardMaker(services, skills !== undefined && skills.sameForAll !== true);
    this.reader = skills && new SkillReader(skills);
    this.skills = this.reader && new PublicSkills(this.reader, skills?.publicMaxAgeSeconds, logger);
  }

  /**
   * Reads and checks the card. Skills that cannot be had now are no reason not to start: until they can, the card is
   * not served.
   *
   * @throws AgentCardError
   */
  async load(): Promise<void> {
    await this.maker.read();
    const skills = await this.firstSkills();
    const { card, warnings } = this.maker.make(skills?.list ?? []);
    for (const warning of warnings) this.services.logger.warn(`Agent card: ${warning}`);
    this.card = publicCard(card);
    this.madeOf = skills;
  }

  /**
   * Signs the card, once: its addresses are fixed, and each signature of the same bytes is another one. To be called
   * when routes are registered and nobody is served yet.
   */
  async sign(): Promise<void> {
    const { signer, logger } = this.services;
    if (signer === undefined) return;
    this.signing = true;
    const warning = signer.warningOf(this.assembled(this.ready().template));
    if (warning !== undefined) logger.warn(`Agent card: ${warning}`);
    await this.signInto(this.ready());
  }

  get profile(): AgentProfile {
    return this.ready().profile;
  }

  get name(): string {
    return this.ready().template.name;
  }

  /** Schemas of what skills take, by the skill's id. */
  get skillInputSchemas(): Readonly<Record<string, object>> {
    return this.ready().template.skillInputSchemas ?? {};
  }

  /** What callers need; nothing when there is none. */
  get securityRequirements(): readonly SecurityRequirement[] {
    return this.ready().template.securityRequirements ?? [];
  }

  get securitySchemes(): Readonly<Record<string, SecurityScheme>> {
    return this.ready().template.securitySchemes ?? {};
  }

  /** The card with its addresses below a base, and the skills of this time. @throws when these were never there */
  async currentDocument(baseUrl: string): Promise<AgentCardDocument> {
    const known = await this.skills?.current();
    if (known !== this.madeOf) await (this.making ??= this.renew(known).finally(() => (this.making = undefined)));
    return this.document(baseUrl);
  }

  /** The same with the skills that are known already. */
  document(baseUrl: string): AgentCardDocument {
    const { documents, template, since } = this.ready();
    const known = documents.get(baseUrl);
    if (known) return known;
    const card = assembleAgentCard(template, this.services.interfaces(baseUrl));
    const document = this.documentOf(card, since);
    // Behind a proxy callers may have a say in the base: keep a few, and no more.
    if (documents.size < MAX_DOCUMENTS) documents.set(baseUrl, document);
    return document;
  }

  /** The card for one authenticated caller, if there is one. */
  async extendedCard(call: ServerCallContext): Promise<AgentCard | undefined> {
    const { signer } = this.services;
    const skills = await this.reader?.read(call.user, call.tenant, call.caller?.signal);
    const template = skills === undefined ? this.ready().template : this.maker.make(skills).card;
    const own = this.assembled(template);
    const extended = await this.maker.extended(call.user, own);
    if (extended === undefined) return undefined;
    const card = extended === 'own' ? own : this.assembled(extended);
    return signer?.sign(card) ?? card;
  }

  private async firstSkills(): Promise<KnownSkills | undefined> {
    try {
      return await this.skills?.current();
    } catch (error) {
      if (error instanceof AgentCardError) throw error;
      this.services.logger.error(`Agent card: it is not served until its skills are there. ${textOfThrown(error)}`);
      return undefined;
    }
  }

  /** Makes the public card anew. Skills that no card can have leave it as it was. */
  private async renew(known: KnownSkills | undefined): Promise<void> {
    try {
      const next = publicCard(this.maker.make(known?.list ?? []).card);
      if (this.signing) await this.signInto(next);
      this.card = next;
    } catch (error) {
      if (this.madeOf === undefined) throw error;
      this.services.logger.error(`Agent card: its skills stay as they were. ${textOfThrown(error)}`);
    }
    this.madeOf = known;
  }

  private async signInto({ template, documents, since }: PublicCard): Promise<void> {
    const signed = await this.services.signer?.sign(this.assembled(template));
    if (signed !== undefined) documents.set(this.services.defaultBaseUrl(), this.documentOf(signed, since));
  }

  private assembled(template: AgentCardTemplate): AgentCard {
    return assembleAgentCard(template, this.services.interfaces(this.services.defaultBaseUrl()));
  }

  private documentOf(card: AgentCard, since: Date): AgentCardDocument {
    return new AgentCardDocument(card, since, this.skills && CHANGING_MAX_AGE_SECONDS);
  }

  private ready(): PublicCard {
    if (this.card === undefined) throw new Error('The agent card is read when the module is initialised');
    return this.card;
  }
}

function publicCard(template: AgentCardTemplate): PublicCard {
  return { template, profile: new AgentProfile(template), since: new Date(), documents: new Map() };
}
