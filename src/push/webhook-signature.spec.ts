import { describe, expect, it } from '@jest/globals';
import { signWebhook, webhookKeyOf } from './webhook-signature.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('Standard Webhooks', () => {
  it.each(['{"test": 2432232314}', Buffer.from('{"test": 2432232314}')])('signs the published example', (body) => {
    const signature = signWebhook(SECRET, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body);
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it.each(['', 'whsec_', 'secret', 'whsec_c2hvcnQ=', `whsec_${'A'.repeat(100)}`, 'whsec_ä', SECRET.slice(6)])(
    'takes %j for no secret, and does not repeat it',
    (secret) => {
      expect(webhookKeyOf(secret)).toBeUndefined();
      expect(() => signWebhook(secret, 'a', 1, '')).toThrow(
        new RangeError('A webhook secret is whsec_ and 24 to 64 bytes in base64'),
      );
    },
  );
});
