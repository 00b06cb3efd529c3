import { describe, expect, it } from '@jest/globals';
import { SafeHttpError } from './errors.js';
import { requestHeaders } from './request-headers.js';

describe('requestHeaders', () => {
  it('sends names in lower case and asks for nothing compressed', () => {
    expect(requestHeaders({ Authorization: 'Bearer a b\tc', 'X-Name': 'né' })).toEqual({
      'accept-encoding': 'identity',
      authorization: 'Bearer a b\tc',
      'x-name': 'né',
    });
  });

  it.each<readonly [name: string, value: string]>([
    ['authorization', 'Bearer s3cret\r\nX-Evil: 1'],
    ['authorization', 'Bearer s3cret\n'],
    ['authorization', 's3cret\rx'],
    ['authorization', 's3cret\0'],
    ['authorization', 's3cret\u0001'],
    ['authorization', 's3cret\u007f'],
    ['x-token', 's3cret\u2028'],
    ['x-token', 's3cret嘊嘍'],
    ['x-token', 's3cret😀'],
    ['x\r\ns3cret', '1'],
    ['x s3cret', '1'],
    ['x:s3cret', '1'],
    ['', 's3cret'],
    ['xé', 's3cret'],
    ['Host', 's3cret'],
    ['content-length', '5'],
    ['Transfer-Encoding', 'chunked'],
    ['connection', 'close'],
    ['Upgrade', 'h2c'],
    ['Expect', '100-continue'],
    ['Proxy-Authorization', 's3cret'],
  ])('refuses %j: %j, without quoting it', (name, value) => {
    const send = (): unknown => requestHeaders({ [name]: value });
    expect(send).toThrow(SafeHttpError);
    expect(send).toThrow(expect.objectContaining({ code: 'BAD_HEADER' }));
    expect(send).not.toThrow(/s3cret/);
  });

  it('refuses a name that is there twice', () => {
    expect(() => requestHeaders({ 'X-A': '1', 'x-a': '2' })).toThrow(/twice/);
  });
});
