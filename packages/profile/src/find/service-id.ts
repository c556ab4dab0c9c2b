/** Service ids are made from the request that creates the person: a repeated job makes the same id again. */
import type { Stamp } from '../profile.ts';

/** FNV-1a over the characters. */
export const textHash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
};

const hex = (value: number, digits: number): string =>
  value.toString(16).padStart(digits, '0').slice(-digits);

/** 14 digits of the stamp, 4 of the entry's position in its request, 6 of the request's id: unique even if a clock repeats itself. */
export const serviceIdOf = (at: Stamp, position: number, requestId: string): string =>
  hex(at, 14) + hex(position, 4) + hex(textHash(requestId), 6);

/** 0 to 9999, the same for ever, spread evenly. */
export const randomBucket = (serviceId: string): number => textHash(serviceId) % 10_000;

/** A device id as devices make them, 128 bits in five groups, for a push token that comes without one. */
export const deviceIdOf = (requestId: string, position: number, token: string): string => {
  const part = (n: number): string => hex(textHash(`${n}:${position}:${requestId}:${token}`), 8);
  const digits = part(0) + part(1) + part(2) + part(3);
  return [0, 8, 12, 16, 20].map((from, n) => digits.slice(from, [8, 12, 16, 20, 32][n])).join('-');
};
