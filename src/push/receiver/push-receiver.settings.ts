import { SecretTable } from '../../authentication/secret-table.js';
import { A2AConfigurationError, type ConfigurationFault } from '../../config/a2a-configuration.error.js';
import { webhookKeyOf } from '../webhook-signature.js';
import type { A2APushReceiverOptions, PushTokenLookup } from './push-receiver.options.js';
import type { ReceivedPushNotification } from './received-push-notification.js';

const DEFAULT_TOLERANCE_SECONDS = 300;
const DEFAULT_REMEMBERED = 10_000;
const DEFAULT_MAX_BYTES = 1024 * 1024;

/** What a receiver demands. Keeps the secrets where no dump shows them. */
export class PushReceiverSettings {
  readonly toleranceSeconds: number;
  readonly remember: number;
  readonly maxBytes: number;
  readonly #tokens: SecretTable<true> | undefined;
  readonly #authorizations: SecretTable<true> | undefined;
  readonly #secrets: readonly string[];
  readonly #lookup: PushTokenLookup | undefined;

  /** @throws A2AConfigurationError */
  constructor(options: A2APushReceiverOptions) {
    const { token, authorization, signingSecrets = [] } = options;
    const faults = faultsOf(options);
    if (faults.length > 0) throw new A2AConfigurationError(faults);
    this.toleranceSeconds = options.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
    this.remember = options.remember ?? DEFAULT_REMEMBERED;
    this.maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#lookup = typeof token === 'function' ? token : undefined;
    this.#tokens = typeof token === 'function' ? undefined : tableOf(token);
    this.#authorizations = tableOf(authorization, normalScheme);
    this.#secrets = [...signingSecrets];
  }

  get signed(): boolean {
    return this.#secrets.length > 0;
  }

  secrets(): readonly string[] {
    return this.#secrets;
  }

  isAuthorized(header: string | undefined): boolean {
    return this.#authorizations === undefined || this.#authorizations.find(normalScheme(header ?? '')) === true;
  }

  isToken(header: string | readonly string[] | undefined): boolean {
    return this.#tokens === undefined || this.#tokens.find(String(header ?? '')) === true;
  }

  /** The token by what the host's own function says. */
  async knowsToken(header: unknown, notification: ReceivedPushNotification): Promise<boolean> {
    if (this.#lookup === undefined) return true;
    const token = await this.#lookup(notification);
    return typeof header === 'string' && token !== undefined && tableOf(token)?.find(header) === true;
  }
}

/** The scheme's name may be written in any case, the rest may not. */
function normalScheme(header: string): string {
  return header.replace(/^[^ ]+ +/, (scheme) => `${scheme.trim().toLowerCase()} `);
}

function tableOf(given: string | readonly string[] | undefined, form = (text: string) => text) {
  if (given === undefined) return undefined;
  const table = new SecretTable<true>();
  for (const secret of typeof given === 'string' ? [given] : given) table.add(form(secret), true);
  return table;
}

function faultsOf(options: A2APushReceiverOptions): ConfigurationFault[] {
  const { token, authorization, signingSecrets, allowAnyone, toleranceSeconds, remember, maxBytes } = options;
  const faults: ConfigurationFault[] = [];
  const fault = (option: string, description: string): void => {
    faults.push({ option: `A2APushReceiverModule ${option}`, description });
  };
  if (token === undefined && authorization === undefined && signingSecrets === undefined && allowAnyone !== true) {
    fault(
      'token',
      'is needed, or authorization, or signingSecrets; with allowAnyone: true whoever reaches the route is believed',
    );
  }
  if (token !== undefined && typeof token !== 'function' && !areTexts(token)) {
    fault('token', 'must be a text that is not empty, several, or a function');
  }
  if (authorization !== undefined && !areTexts(authorization)) {
    fault('authorization', "must be the whole value of the header, such as 'Bearer <credentials>', or several");
  }
  if (signingSecrets !== undefined && !areSecrets(signingSecrets)) {
    fault('signingSecrets', 'must be an array of secrets: whsec_ and 24 to 64 bytes in base64');
  }
  if (!isCount(toleranceSeconds)) fault('toleranceSeconds', 'must be a number of seconds, more than 0');
  if (!isCount(remember)) fault('remember', 'must be a number of notifications, more than 0');
  if (!isCount(maxBytes)) fault('maxBytes', 'must be a number of bytes, more than 0');
  return faults;
}

function areTexts(given: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.length > 0 && list.every((text) => typeof text === 'string' && text.trim() !== '');
}

function areSecrets(given: unknown): boolean {
  return (
    Array.isArray(given) &&
    given.length > 0 &&
    given.every((secret) => typeof secret === 'string' && webhookKeyOf(secret) !== undefined)
  );
}

function isCount(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && Number.isFinite(value) && value > 0);
}
