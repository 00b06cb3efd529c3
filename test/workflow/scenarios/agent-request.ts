import type { GatewayCall } from './agent-gateway.js';

/** What a caller wants of an agent. */
export interface AgentRequest {
  readonly operation: 'send' | 'get' | 'cancel' | 'list' | 'subscribe';
  readonly taskId?: string;
  /** Of the message. */
  readonly performative?: string;
}

interface SentBody {
  readonly message?: {
    readonly taskId?: string;
    readonly metadata?: { readonly negotiationContext?: { readonly performative?: string } };
  };
}

/** `undefined`: it has nothing to do with tasks. */
export function requestOf({
  method,
  path,
  body,
}: Pick<GatewayCall, 'body' | 'method' | 'path'>): AgentRequest | undefined {
  const [where = ''] = path.split('?');
  if (/\/message:(send|stream)$/.test(where)) {
    const { message }: SentBody = JSON.parse(body);
    return {
      operation: 'send',
      taskId: message?.taskId,
      performative: message?.metadata?.negotiationContext?.performative,
    };
  }
  if (method === 'GET' && where.endsWith('/tasks')) return { operation: 'list' };
  const [, id = '', action] = /\/tasks\/([^/:]+)(?::(cancel|subscribe))?$/.exec(where) ?? [];
  if (id === '') return undefined;
  const taskId = decodeURIComponent(id);
  if (action === 'cancel' || action === 'subscribe') return { operation: action, taskId };
  return { operation: 'get', taskId };
}
