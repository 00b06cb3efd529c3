import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

interface Entry<T> {
  readonly digest: Buffer;
  readonly value: T;
}

/**
 * Secrets, and what each stands for. Looking one up takes as long whether it is there or not, wherever it stands and
 * however much of it is right: digests under a key of this table are compared, all of them each time.
 */
export class SecretTable<T> {
  private readonly key = randomBytes(32);
  private readonly entries: Entry<T>[] = [];

  /** @returns false, and adds nothing, when the secret is there already */
  add(secret: string, value: T): boolean {
    if (this.find(secret) !== undefined) return false;
    this.entries.push({ digest: this.digest(secret), value });
    return true;
  }

  find(secret: string): T | undefined {
    const digest = this.digest(secret);
    let found: T | undefined;
    for (const entry of this.entries) if (timingSafeEqual(entry.digest, digest)) found = entry.value;
    return found;
  }

  private digest(secret: string): Buffer {
    return createHmac('sha256', this.key).update(secret).digest();
  }
}
