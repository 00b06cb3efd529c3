import { describe, expect, it } from '@jest/globals';
import { A2AJsEventError } from './a2a-js-event.error.js';
import { A2A_JS_V03 } from './a2a-js-v03.line.js';
import { A2A_JS_V1 } from './a2a-js-v1.line.js';

const IDS = { taskId: 't', contextId: 'c' };
const V1_PARTS = [{ content: { $case: 'text', value: 'hi' }, filename: '', mediaType: '' }];
const V03_PARTS = [{ kind: 'text', text: 'hi' }];
const SAID = { role: 'ROLE_AGENT', parts: [{ text: 'hi' }] };

describe('an event of @a2a-js/sdk', () => {
  it.each([
    ['a 1.x message', A2A_JS_V1, { kind: 'message', data: { messageId: '', role: 2, parts: V1_PARTS } }],
    ['a 0.3 message', A2A_JS_V03, { kind: 'message', messageId: '', role: 'agent', parts: V03_PARTS }],
  ])('needs no id of its own: %s', (_what, line, event) => {
    expect(line.eventOf(event, IDS)).toMatchObject({ message: { ...SAID, contextId: 'c' } });
  });

  it.each([
    ['1.x', A2A_JS_V1, { kind: 'statusUpdate', data: { status: { state: 2, message: { role: 2, parts: V1_PARTS } } } }],
    [
      '0.3',
      A2A_JS_V03,
      {
        kind: 'status-update',
        final: false,
        status: { state: 'working', message: { kind: 'message', role: 'agent', parts: V03_PARTS } },
      },
    ],
  ])('needs no id for what a status says: %s', (_what, line, event) => {
    expect(line.eventOf(event, IDS)).toMatchObject({
      statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING', message: SAID } },
    });
  });

  it.each<[string, typeof A2A_JS_V1, unknown, string]>([
    ['a state that no line has', A2A_JS_V1, { kind: 'statusUpdate', data: { status: { state: 99 } } }, 'status.state'],
    ['no state', A2A_JS_V1, { kind: 'task', data: { status: {} } }, 'status.state'],
    ['nothing', A2A_JS_V1, null, 'is no object'],
    ['a text', A2A_JS_V03, 'done', 'is no object'],
    [
      'a status of 1.x',
      A2A_JS_V03,
      { kind: 'statusUpdate', data: {} },
      'leave the option sdk of fromA2AJsExecutor out',
    ],
    ['a message of 1.x', A2A_JS_V03, { kind: 'message', data: {} }, 'leave the option sdk of fromA2AJsExecutor out'],
    [
      'a message of 0.3',
      A2A_JS_V1,
      { kind: 'message', parts: V03_PARTS },
      "need fromA2AJsExecutor(executor, { sdk: '0.3' })",
    ],
  ])('is refused, and the error says why: %s', (_what, line, event, said) => {
    const read = (): unknown => line.eventOf(event, IDS);
    expect(read).toThrow(A2AJsEventError);
    expect(read).toThrow(said);
  });
});
