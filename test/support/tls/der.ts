/** The few words of ASN.1 DER that certificates and revocation lists are written in. @see ITU-T X.690 */

function tlv(tag: number, content: Buffer): Buffer {
  const length = content.length;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

export const sequence = (...items: Buffer[]): Buffer => tlv(0x30, Buffer.concat(items));
export const set = (...items: Buffer[]): Buffer => tlv(0x31, Buffer.concat(items));
export const boolean = (value: boolean): Buffer => tlv(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (content: Buffer): Buffer => tlv(0x04, content);
export const bits = (content: Buffer): Buffer => tlv(0x03, Buffer.concat([Buffer.from([0]), content]));
export const utf8 = (text: string): Buffer => tlv(0x0c, Buffer.from(text));
/** `[n]` around something. */
export const tagged = (number: number, ...items: Buffer[]): Buffer => tlv(0xa0 + number, Buffer.concat(items));
/** `[n]` in place of the tag. */
export const implicit = (number: number, content: Buffer): Buffer => tlv(0x80 + number, content);

/** Not negative, up to 2^31. */
export function integer(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return tlv(0x02, (bytes[0] ?? 0) < 128 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((arc) => {
    const groups = [arc & 127];
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 127) | 128);
    return groups;
  });
  return tlv(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

/** UTCTime: years from 1950 to 2049. */
export function time(date: Date): Buffer {
  const text = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return tlv(0x17, Buffer.from(text.slice(2)));
}
