import { ValidateIf } from 'class-validator';
import type { PushAllowOptions, PushOptions, PushSigningOptions } from '../push/push.options.js';
import { webhookKeyOf } from '../push/webhook-signature.js';
import {
  IsCount,
  IsSwitch,
  IsTimerMilliseconds,
  IsTimerSeconds,
  IsListOf,
  IsShare,
  rule,
} from './option-validators.js';

function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function isSecret(value: unknown): boolean {
  return typeof value === 'string' && webhookKeyOf(value) !== undefined;
}

/** The rules of `push.allow`. */
export class PushAllowSchema implements PushAllowOptions {
  @Optional() @IsListOf("host names, or '*.' and a suffix", isText) hosts?: readonly string[];
  @Optional() @IsListOf('ranges of addresses such as 10.20.0.0/16', isText) cidrs?: readonly string[];
  @Optional() @IsSwitch() allowHttp?: boolean;
  @Optional() @IsListOf('port numbers', isNumber) ports?: readonly number[];
  @Optional() @IsSwitch() onlyListed?: boolean;
}

/** The rules of `push.signing`. */
export class PushSigningSchema implements PushSigningOptions {
  @rule('isWebhookSecret', 'whsec_ and 24 to 64 bytes in base64, or several such secrets', (value) =>
    Array.isArray(value) ? value.length > 0 && value.every(isSecret) : isSecret(value),
  )
  secret!: string | readonly string[];
}

/** The rules of `push`. */
export class PushOptionsSchema implements Omit<PushOptions, 'allow' | 'signing'> {
  @Optional() @IsSwitch() snapshotOnCreate?: boolean;
  @Optional() @IsCount(1) concurrency?: number;
  @Optional() @IsTimerMilliseconds('moreThanZero') timeoutMs?: number;
  @Optional() @IsListOf('milliseconds', isPause) retryDelaysMs?: readonly number[];
  @Optional() @IsCount(1) maxAttempts?: number;
  @Optional() @IsShare() jitter?: number;
  @Optional() @IsTimerMilliseconds() maxRetryAfterMs?: number;
  @Optional() @IsCount(1) disableAfterLostEvents?: number;
  @Optional() @IsCount(1) maxQueuedPerConfig?: number;
  @Optional() @IsCount(1) maxQueuedTotal?: number;
  @Optional() @IsCount(1) maxQueuedBytes?: number;
  @Optional() @IsTimerSeconds() drainSeconds?: number;
}

function isPause(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < 2 ** 30;
}
