import type { JsonValue, Struct } from './json.js';

/** What every kind of part may carry. */
export interface PartBase {
  /** Free data about this part. */
  metadata?: Struct;
  /** File name, e.g. `report.pdf`. */
  filename?: string;
  /** Media type of the content, e.g. `text/plain`. */
  mediaType?: string;
}

/** A part that is text. */
export interface TextPart extends PartBase {
  /** The text; may be empty. */
  text: string;
}

/** A part that is a file's bytes. */
export interface RawPart extends PartBase {
  /** The bytes in padded base64 of the standard alphabet. */
  raw: string;
}

/** A part that points at a file. */
export interface UrlPart extends PartBase {
  /** Where the content is. */
  url: string;
}

/** A part that is structured data. */
export interface DataPart extends PartBase {
  /** Any JSON value; `null` is a value too. */
  data: JsonValue;
}

/**
 * One piece of content; the member's name says which kind it is.
 *
 * @see A2A 1.0, section 4.1.6
 */
export type Part = TextPart | RawPart | UrlPart | DataPart;

/** Is this part text? */
export function isTextPart(part: Part): part is TextPart {
  return 'text' in part && part.text !== undefined;
}

/** Does this part hold bytes? */
export function isRawPart(part: Part): part is RawPart {
  return 'raw' in part && part.raw !== undefined;
}

/** Does this part point at a URL? */
export function isUrlPart(part: Part): part is UrlPart {
  return 'url' in part && part.url !== undefined;
}

/** Is this part structured data? */
export function isDataPart(part: Part): part is DataPart {
  return 'data' in part && part.data !== undefined;
}
