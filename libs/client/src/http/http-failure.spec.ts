import { describe, expect, it } from '@jest/globals';
import { ForbiddenTargetError, SafeHttpError } from 'nestjs-a2a/net';
import { A2AClientError } from '../client-error.js';
import type { ClientNetwork } from './client-network.js';
import { httpFailure } from './http-failure.js';

const SECRET = 'https://ann:pass@agent.example:8443/secret/path?key=hidden#frag';
const NEVER = { checkUrl: () => undefined, checkAddress: () => undefined };

describe('What failed says where', () => {
  it.each(['DNS_FAILED', 'CONNECT_FAILED', 'TLS_FAILED', 'TIMEOUT', 'STALLED', 'ANSWER_TOO_LARGE'] as const)(
    '%s, with the host and nothing else of its URL',
    (code) => {
      const cause = new SafeHttpError(code, 'It failed');
      const error = httpFailure(cause, SECRET, undefined);
      expect(error).toBeInstanceOf(A2AClientError);
      expect(error).toMatchObject({ code, message: 'https://agent.example:8443: It failed', cause });
    },
  );

  it.each(['CLOSED', 'BAD_HEADER'] as const)('%s, which has to do with no host', (code) => {
    expect(httpFailure(new SafeHttpError(code, 'No'), SECRET, undefined)).toMatchObject({ code, message: 'No' });
  });

  it.each<[url: string, network: ClientNetwork | undefined, told: string]>([
    [
      'http://localhost:3000/a?b=c',
      undefined,
      "http://localhost:3000 is refused: x. If it is meant to be reached, set the option network: { hosts: ['localhost'], allowHttp: true }, or network: 'any' for development",
    ],
    [
      'https://10.0.0.1',
      {},
      "https://10.0.0.1 is refused: x. If it is meant to be reached, set the option network: { hosts: ['10.0.0.1'] }, or network: 'any' for development",
    ],
    [
      'http://[::1]:3000',
      undefined,
      "http://[::1]:3000 is refused: x. If it is meant to be reached, set the option network: { hosts: ['::1'], allowHttp: true }, or network: 'any' for development",
    ],
    [
      'http://10.0.0.1:3000',
      { hosts: ['localhost'] },
      "http://10.0.0.1:3000 is refused: x. If it is meant to be reached, add '10.0.0.1' to hosts in the option network, and set allowHttp: true",
    ],
    [
      'http://agent.svc:3000',
      { hosts: ['localhost'], allowHttp: true },
      "http://agent.svc:3000 is refused: x. If it is meant to be reached, add 'agent.svc' to hosts in the option network",
    ],
    ['https://a.example', NEVER, 'https://a.example is refused: x. That is what the policy in the option network says'],
    // No list of hosts would help.
    [SECRET, undefined, 'https://agent.example:8443 is refused: x'],
    ['https://a.example:0', undefined, 'https://a.example:0 is refused: x'],
    ['ftp://a.example', undefined, 'ftp://a.example is refused: x'],
    ['nothing', undefined, 'The target is refused: x'],
  ])('a target that is refused, with what to do: %s %j', (url, network, told) => {
    const error = httpFailure(new ForbiddenTargetError('x'), url, network);
    expect(error).toMatchObject({ code: 'FORBIDDEN_TARGET', message: told });
  });

  it('and what was not ours stays as it is', () => {
    const reason = new Error('enough');
    expect(httpFailure(reason, SECRET, undefined)).toBe(reason);
  });
});
