import type { ScriptedFailure } from './agent-script.js';

/** The envelope in which agents answer errors. */
export function errorBody({ code, message, status, reason, domain }: ScriptedFailure) {
  const detail = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    ...(reason !== undefined && { reason }),
    ...(domain !== undefined && { domain }),
  };
  return {
    error: {
      code,
      message,
      ...(status !== undefined && { status }),
      ...((reason ?? domain) !== undefined && { details: [detail] }),
    },
  };
}
