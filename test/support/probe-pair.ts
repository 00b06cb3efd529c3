import type { DynamicModule } from '@nestjs/common';
import { A2AModule, type A2AModuleExtras, type A2AModuleOptions } from 'nestjs-a2a';
import { ProbeModule } from '../probe-agent/probe.app.js';
import { ProbeExecutor } from '../probe-agent/probe.executor.js';
import { probeCard } from '../probe-agent/probe.options.js';
import { Pair } from './parity.js';
import type { StartOptions } from './running-app.js';

/** The probe agent on both adapters; `users` lets callers say who they are. */
export function probePair(options: A2AModuleOptions = {}, users = false, start: StartOptions = {}): Promise<Pair> {
  return Pair.start(() => ProbeModule.with({ module: { agentCard: probeCard(), ...options }, users }), start);
}

/** The module of a probe agent with any options. */
export function probeModule(options: A2AModuleOptions & A2AModuleExtras = {}): DynamicModule {
  return A2AModule.forRoot({ agentCard: probeCard(), executor: ProbeExecutor, ...options });
}
