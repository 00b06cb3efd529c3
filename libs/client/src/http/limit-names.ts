import type { NamesOf } from '../option-names.js';
import type { ClientHttpLimits } from './client-http.js';

/** The limits that there are. */
export const LIMIT_NAMES: NamesOf<ClientHttpLimits> = {
  totalTimeoutMs: true,
  headersTimeoutMs: true,
  idleTimeoutMs: true,
  maxAnswerBytes: true,
};
