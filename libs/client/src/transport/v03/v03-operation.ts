import { type A2AMethod, type Decoder, InvalidParamsError, type V03Frame } from 'nestjs-a2a/protocol';
import type { StreamingMethod } from '../a2a-transport.js';

/** How one method of 1.0 is said in 0.3. */
export interface V03Operation<Written, Read> {
  /**
   * What is sent for params of 1.0.
   *
   * @throws InvalidParamsError
   */
  write(params: object): Written;
  readonly read: Decoder<Read>;
}

/** What a binding of 0.3 can say. */
export interface V03Dialect<Written> {
  readonly calls: ReadonlyMap<A2AMethod, V03Operation<Written, unknown>>;
  readonly streams: Readonly<Record<StreamingMethod, V03Operation<Written, V03Frame>>>;
}

/** @param decode checks the params before they leave: their translation relies on it */
export function operation<Params, Written, Read>(
  decode: Decoder<Params>,
  write: (params: Params) => Written,
  read: Decoder<Read>,
): V03Operation<Written, Read> {
  return {
    read,
    write: (given) => {
      const params = decode(given);
      if (!params.ok) throw new InvalidParamsError(params.violations);
      return write(params.value);
    },
  };
}

/** For what is read elsewhere. */
export const asItIs: Decoder<unknown> = (value) => ({ ok: true, value });
