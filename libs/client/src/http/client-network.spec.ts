import { describe, expect, it } from '@jest/globals';
import { targetPolicyOf } from './client-network.js';

describe('targetPolicyOf', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '::1', '[::1]'])('takes %s for this machine by any name', (host) => {
    const policy = targetPolicyOf({ hosts: [host], allowHttp: true });
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      const url = new URL(`http://${name}:3000/`);
      expect(() => policy.checkUrl(url)).not.toThrow();
      for (const address of ['127.0.0.1', '::1']) expect(() => policy.checkAddress(address, url)).not.toThrow();
    }
    for (const other of ['http://127.0.0.2/', 'http://10.0.0.1/', 'http://a.localhost/']) {
      expect(() => policy.checkUrl(new URL(other))).toThrow('refused');
    }
  });

  it.each([undefined, {}, { hosts: ['agents.example'], allowHttp: true }])(
    'but not unless it is listed: %j',
    (network) => {
      const policy = targetPolicyOf(network);
      for (const name of ['localhost', '127.0.0.1', '[::1]']) {
        expect(() => policy.checkUrl(new URL(`https://${name}/`))).toThrow('refused');
      }
    },
  );
});
