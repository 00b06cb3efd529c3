import { afterEach, describe, expect, it } from '@jest/globals';
import { A2ADiagnostics, A2AObserver, type TaskKey } from 'nestjs-a2a';
import { CapturingLogger } from '../support/capturing-logger.js';
import { hurried, rpc } from '../support/a2a-calls.js';
import { Hook } from '../support/hook.js';
import { send, textAt } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start } from '../support/running-app.js';

let hook: Hook | undefined;

afterEach(() => hook?.close());

class Losses extends A2AObserver {
  readonly lost: string[] = [];
  readonly depths: number[] = [];

  override pushLost({ id }: TaskKey, configId: string): void {
    this.lost.push(`${id}/${configId}`);
  }

  override pushQueueDepth(waiting: number): void {
    this.depths.push(waiting);
  }
}

function notified(text: string, url: string): object {
  const configuration = { returnImmediately: true, taskPushNotificationConfig: { url, id: 'c' } };
  return { ...hurried(text), configuration };
}

describe.each(ADAPTERS)('an app that stops, on %s', (adapter) => {
  it('still tells how the tasks have ended that it ends', async () => {
    hook = await Hook.open();
    const options = { pushUrlValidator: () => true, shutdownTimeoutSeconds: 0.05, executorMaxSize: 4 };
    const { url, close } = await start(adapter, probeModule(options));
    await send(url, rpc('SendMessage', notified('slow 1000 1000', hook.url)));
    await hook.untilWord('TASK_STATE_WORKING');
    await close();
    expect(hook.words.at(-1)).toBe('TASK_STATE_FAILED');
  });

  it('does not wait longer for a receiver that hangs than it was told to', async () => {
    hook = await Hook.open(() => 'hang');
    const observer = new Losses();
    const logger = new CapturingLogger();
    const options = {
      pushUrlValidator: () => true,
      push: { drainSeconds: 0.05, timeoutMs: 60_000 },
      providers: [{ provide: A2AObserver, useValue: observer }],
    };
    const { app, url, close } = await start(adapter, probeModule(options), { logger });
    const diagnostics = app.get(A2ADiagnostics, { strict: false });
    await send(url, rpc('SendMessage', notified('echo hi', hook.url)));
    await hook.until(() => hook?.hanging === 1);
    await close();
    expect(logger.text).toContain('4 push notifications were not delivered before the app stopped');
    expect(diagnostics.gauges()).toMatchObject({ pushConfigs: 0, pushQueued: 0, pushBytes: 0, pushInFlight: 0 });
    expect(observer.depths).toEqual([1, 2, 3, 4]);
  });

  it('tells the observer and the log of what was lost, not the secrets and the path of the receiver', async () => {
    hook = await Hook.open(() => 404);
    const observer = new Losses();
    const logger = new CapturingLogger();
    const providers = [{ provide: A2AObserver, useValue: observer }];
    const { url, close } = await start(adapter, probeModule({ pushUrlValidator: () => true, providers }), { logger });
    const config = {
      id: 'c',
      url: `${hook.url}?key=secret-1`,
      token: 'secret-2',
      authentication: { scheme: 'Bearer', credentials: 'secret-3' },
    };
    const params = { ...hurried('echo hi'), configuration: { taskPushNotificationConfig: config } };
    const answer = await send(url, rpc('SendMessage', params));
    const taskId = textAt(answer.body, 'result.task.id');
    await hook.until((calls) => calls.length === 3);
    await close();
    expect(observer.lost).toEqual([1, 2, 3].map(() => `${taskId}/c`));
    expect(logger.text).toContain('is disabled: 3 events in a row were lost (status 404)');
    expect(logger.text).not.toMatch(/secret-\d|\/hook/);
    expect(hook.calls).toHaveLength(3);
  });
});
