/**
 * One thing that is wrong with one field; the shape of `google.rpc.BadRequest.FieldViolation`.
 *
 * @see A2A 1.0, section 9.5
 */
export interface FieldViolation {
  /** Path in JSON names, e.g. `message.parts[0].text`; empty for the whole value. */
  field: string;
  /** What is wrong, for people. */
  description: string;
}
