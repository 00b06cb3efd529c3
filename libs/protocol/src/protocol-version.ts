/** The protocol version this package speaks, `Major.Minor`. */
export const PROTOCOL_VERSION = '1.0';

/**
 * Header (and query parameter) that names the protocol version.
 *
 * @see A2A 1.0, section 3.2.6
 */
export const A2A_VERSION_HEADER = 'A2A-Version';

/** A version as a caller asked for it; a patch number plays no part. */
export interface ProtocolVersion {
  major: number;
  minor: number;
  /** `Major.Minor`. */
  text: string;
}

const VERSION = /^(\d{1,5})\.(\d{1,5})(?:\.\d{1,10})?$/;

/**
 * Reads a version header.
 *
 * @returns the version, `'absent'` for nothing or blanks, `'invalid'` for whatever is no version
 * @see A2A 1.0, section 3.6
 */
export function parseProtocolVersion(value: string | undefined): ProtocolVersion | 'absent' | 'invalid' {
  const text = value?.trim();
  if (text === undefined || text === '') return 'absent';
  const match = VERSION.exec(text);
  if (match === null) return 'invalid';
  const major = Number(match[1]);
  const minor = Number(match[2]);
  return { major, minor, text: `${major}.${minor}` };
}
