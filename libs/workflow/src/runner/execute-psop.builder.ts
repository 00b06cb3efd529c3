import { executeChecked } from './execute-psop.js';
import type { ExecutePsopOptions } from './psop-options.js';
import type { WorkflowRun } from './workflow-run.js';

/**
 * Collects the options of `executePsop` one by one.
 *
 * ```ts
 * const result = await ExecutePsop.builder().psop(workflow).agentCards(cards).controlPoint(decisions).execute();
 * ```
 *
 * @publicApi
 */
export class ExecutePsop {
  private readonly options: Partial<ExecutePsopOptions> = {};

  static builder(): ExecutePsop {
    return new ExecutePsop();
  }

  psop(psop: ExecutePsopOptions['psop']): this {
    return this.with({ psop });
  }

  agentCards(agentCards: ExecutePsopOptions['agentCards']): this {
    return this.with({ agentCards });
  }

  controlPoint(controlPoint: ExecutePsopOptions['controlPoint']): this {
    return this.with({ controlPoint });
  }

  engineClient(engineClient: ExecutePsopOptions['engineClient']): this {
    return this.with({ engineClient });
  }

  runtimeIntent(runtimeIntent: ExecutePsopOptions['runtimeIntent']): this {
    return this.with({ runtimeIntent });
  }

  lang(lang: ExecutePsopOptions['lang']): this {
    return this.with({ lang });
  }

  credentialsConfigPath(credentialsConfigPath: ExecutePsopOptions['credentialsConfigPath']): this {
    return this.with({ credentialsConfigPath });
  }

  sslVerify(sslVerify: ExecutePsopOptions['sslVerify']): this {
    return this.with({ sslVerify });
  }

  caCertsPath(caCertsPath: ExecutePsopOptions['caCertsPath']): this {
    return this.with({ caCertsPath });
  }

  a2aClientRuntime(a2aClientRuntime: ExecutePsopOptions['a2aClientRuntime']): this {
    return this.with({ a2aClientRuntime });
  }

  eventCallback(eventCallback: ExecutePsopOptions['eventCallback']): this {
    return this.with({ eventCallback });
  }

  onFinish(onFinish: ExecutePsopOptions['onFinish']): this {
    return this.with({ onFinish });
  }

  onEvent(onEvent: ExecutePsopOptions['onEvent']): this {
    return this.with({ onEvent });
  }

  /** Any other options of `executePsop`. */
  with(options: Partial<ExecutePsopOptions>): this {
    Object.assign(this.options, options);
    return this;
  }

  /** @throws WorkflowArgumentError as `executePsop` */
  execute(): WorkflowRun {
    return executeChecked(this.options);
  }
}
