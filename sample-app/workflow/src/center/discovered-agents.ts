import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { A2AClient } from 'nestjs-a2a/client';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { AgentCardSource } from 'nestjs-a2a/workflow';

/** Asks each agent for its card. */
@Injectable()
export class DiscoveredAgents extends AgentCardSource implements OnApplicationShutdown {
  // They listen on this machine.
  private readonly client = new A2AClient({ network: 'any' });

  constructor(private readonly urls: readonly string[]) {
    super();
  }

  override cards(): Promise<AgentCard[]> {
    return Promise.all(this.urls.map(async (url) => (await this.client.at(url).agent()).card));
  }

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }
}
