/** The text of keys and tokens: `<prefix>_<id>_<secret>_<checksum>`. The checksum lets secret scanners and our own edge know one offline. */
import { crc32 } from 'node:zlib';

export interface ParsedKey {
  id: string;
  secret: string;
}

export type Random = (bytes: number) => Uint8Array;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const shape = /^([a-z]{2})_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})_([0-9A-Za-z]{6})$/;

/** Bytes past the largest multiple of 62 are passed over, so that every letter is equally likely. */
const base62 = (length: number, random: Random): string => {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62];
  }
  return text;
};

const checksum = (text: string): string => {
  let left = crc32(text);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = `${alphabet[left % 62]}${digits}`;
    left = Math.floor(left / 62);
  }
  return digits;
};

/** `<prefix>_<id>_<secret>_<checksum>` */
export const makeToken = (kind: string, random: Random): ParsedKey & { text: string } => {
  const id = base62(12, random);
  const secret = base62(32, random);
  const start = `${kind}_${id}_${secret}`;
  return { id, secret, text: `${start}_${checksum(start)}` };
};

/** Parses a token by its form alone, without a lookup; `undefined` for any other text. */
export const parseToken = (kind: string, text: string): ParsedKey | undefined => {
  const [, found, id, secret, sum] = shape.exec(text) ?? [];
  if (found !== kind || !id || !secret || checksum(`${kind}_${id}_${secret}`) !== sum) return undefined;
  return { id, secret };
};
