import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstValueFrom, takeWhile, timeout, toArray } from 'rxjs';
import type { ReceivedPushNotification } from 'nestjs-a2a';
import { TaskState } from 'nestjs-a2a/protocol';
import { Inbox } from '../src/inbox/inbox.js';
import type { A2APeer, Platform } from './a2a-peer.js';

const TOKEN = 'shown-with-each-notification';
const CSV = { text: 'city,price\nBern,3.9\n', mediaType: 'text/csv' };

function hasEnded({ event }: ReceivedPushNotification): boolean {
  return 'statusUpdate' in event && event.statusUpdate.status.state === TaskState.COMPLETED;
}

describe.each<Platform>(['express', 'fastify'])('the inbox on %s', (platform) => {
  let peer: A2APeer;

  beforeAll(async () => {
    // The app reads it when it is loaded.
    process.env.INBOX_TOKEN = TOKEN;
    const { A2APeer: Peer } = await import('./a2a-peer.js');
    peer = await Peer.start(platform);
  });

  afterAll(() => peer.stop());

  it('is told of each step of a task, in order', async () => {
    const { notifications } = peer.app.get(Inbox, { strict: false });
    const whole = notifications.pipe(
      takeWhile((notification) => !hasEnded(notification), true),
      toArray(),
      timeout(15_000),
    );
    const arrived = firstValueFrom(whole);
    const pushNotificationConfig = { id: 'c1', url: `${peer.base}/inbox`, token: TOKEN };
    await peer.call('SendMessage', {
      message: { messageId: 'm1', role: 'ROLE_USER', parts: [CSV] },
      configuration: { taskPushNotificationConfig: pushNotificationConfig },
    });
    const told = await arrived;
    expect(new Set(told.map(({ taskId, configId }) => `${taskId}/${configId}`)).size).toBe(1);
    const numbers = told.map(({ sequence }) => Number(sequence));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(
      told.flatMap(({ event }) => ('artifactUpdate' in event ? [event.artifactUpdate.artifact.name] : [])),
    ).toEqual(['statistics.json', 'report.md']);
  });

  it('takes no notification without the token', async () => {
    const response = await fetch(`${peer.base}/inbox`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/a2a+json' },
      body: '{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hi"}]}}',
    });
    expect(response.status).toBe(401);
  });
});
