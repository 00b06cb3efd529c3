import {
  Injectable,
  type BeforeApplicationShutdown,
  type LoggerService,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { noPublicUrlMessage, twoBuildsMessage, unknownVariablesMessage } from './a2a.messages.js';
import type { A2ASettings } from './a2a.options.js';
import type { AgentParts } from './agent/agent-parts.js';
import { unknownA2AVariables } from './config/environment.reader.js';
import type { AgentExecutions } from './execution/agent-executions.js';
import type { WaitingTasksSweeper } from './execution/waiting-tasks.sweeper.js';
import type { AgentCardService } from './http/card/agent-card.service.js';
import type { OpenStreams } from './http/host/open-streams.js';
import type { HttpMount } from './http/http-mount.js';
import type { PushNotificationSender } from './push/push-notification-sender.js';

const STREAM_END_MS = 2_000;
const LOADED = Symbol.for('nestjs-a2a.loaded');

/** What is started and stopped with the app. */
export interface LifecycleServices {
  readonly agentPath: string;
  readonly settings: A2ASettings;
  readonly logger: LoggerService;
  readonly parts: AgentParts;
  readonly cards: AgentCardService;
  readonly mount: HttpMount;
  readonly executions: AgentExecutions;
  readonly openStreams: OpenStreams;
  readonly sweeper: WaitingTasksSweeper;
  readonly push: PushNotificationSender;
}

/** Starts an agent with its app, and stops it so that the app closes in time. */
@Injectable()
export class A2ALifecycle implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  // Nest 11 calls the hooks once for each close().
  private streamsEnded: Promise<void> | undefined;
  private runsEnded: Promise<void> | undefined;

  constructor(private readonly services: LifecycleServices) {}

  /** Called by the module, before any hook of Nest. */
  beforeRoutes(): void {
    const { agentPath, settings, parts, mount } = this.services;
    // Before Fastify says of a second route only that it is one.
    if (settings.enabled) parts.checkPath(agentPath);
    mount.beforeRoutes();
  }

  async onModuleInit(): Promise<void> {
    const { settings, parts, cards } = this.services;
    if (!settings.enabled) return;
    parts.find();
    await cards.load();
  }

  async onApplicationBootstrap(): Promise<void> {
    const { settings, logger, cards, mount, sweeper } = this.services;
    if (!settings.enabled) return;
    await cards.sign();
    const unknown = unknownA2AVariables(process.env);
    if (unknown.length > 0) logger.warn(unknownVariablesMessage(unknown));
    if (loadedTwice()) logger.warn(twoBuildsMessage());
    sweeper.start();
    mount.whenListening(() => this.announce());
  }

  onModuleDestroy(): Promise<void> {
    return (this.streamsEnded ??= this.endStreams());
  }

  beforeApplicationShutdown(): Promise<void> {
    return (this.runsEnded ??= this.endRuns());
  }

  private async endRuns(): Promise<void> {
    await this.services.executions.shutdown();
    // Behind the runs: how they ended is to be told as well.
    await this.services.push.drain();
  }

  private async endStreams(): Promise<void> {
    const { executions, sweeper, openStreams } = this.services;
    executions.drain();
    sweeper.stop();
    await openStreams.endAll(STREAM_END_MS);
  }

  private announce(): void {
    const { settings, logger, cards, mount } = this.services;
    const baseUrl = mount.baseUrl();
    for (const { protocolBinding, url } of mount.interfaces(baseUrl)) {
      logger.log(`${cards.name}: ${protocolBinding} at ${url}`);
    }
    const cardUrl = mount.cardUrl();
    if (cardUrl !== undefined) logger.log(`${cards.name}: card at ${cardUrl}`);
    const jwksUrl = mount.jwksUrl();
    if (jwksUrl !== undefined) logger.log(`${cards.name}: public keys at ${jwksUrl}`);
    if (settings.publicUrl === undefined) logger.warn(noPublicUrlMessage(baseUrl));
  }
}

/** Whether the other build of this package is in the process as well. */
function loadedTwice(): boolean {
  const loaded: unknown = Reflect.get(globalThis, LOADED);
  if (loaded === undefined) Reflect.set(globalThis, LOADED, A2ALifecycle);
  return loaded !== undefined && loaded !== A2ALifecycle;
}
