/**
 * One frame of a stream: numbered and serialised, whatever it will be wrapped in. A {@link TaskEvent} is one.
 *
 * @publicApi
 */
export interface StreamFrame {
  /** The number of the task's event; undefined for a direct message. */
  readonly sequence: number | undefined;
  /** A `StreamResponse` as JSON. */
  readonly json: string;
  /** True when no frame follows. */
  readonly last: boolean;
}
