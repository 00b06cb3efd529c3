/** Any value JSON can express. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/**
 * A `google.protobuf.Struct`: a JSON object with free content (`metadata`, `params`, `header`).
 * Numbers are IEEE doubles, so integers beyond 2^53 lose digits.
 */
export type Struct = { [key: string]: JsonValue };
