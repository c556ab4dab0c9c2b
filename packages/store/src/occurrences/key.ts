/**
 * The key of a stored occurrence: profile, time, stamp, digest of the request's id, place in the request. It has 30 bytes always, so the occurrences
 * of a person lie side by side in the order of their times. A repeated job makes the same key.
 */
import { textHash } from '@roster/profile';

export interface KeyParts {
  profile: string;
  time: Date;
  /** Stamp of its request. */
  at: number;
  /** Its place in the request. */
  index: number;
}

export interface Keyed extends KeyParts {
  /** Request id. */
  request: string;
}

const start = { profile: 0, time: 12, at: 18, request: 25, index: 28, end: 30 } as const;

/** Times before 1970 have to come first. */
const earliest = 2 ** 46;

const lowOfStamp = 2 ** 24;

const serviceId = /^[0-9a-f]{24}$/;

/** Nobody else has occurrences. */
export const isServiceId = (id: string): boolean => serviceId.test(id);

const writeProfile = (key: Buffer, profile: string): Buffer => {
  if (!isServiceId(profile)) throw new Error(`${profile} is not a service id`);
  key.write(profile, start.profile, 'hex');
  return key;
};

const writeTime = (key: Buffer, time: number): Buffer => {
  key.writeUIntBE(time + earliest, start.time, 6);
  return key;
};

export const keyOf = ({ profile, time, at, request, index }: Keyed): Buffer => {
  const key = writeTime(writeProfile(Buffer.allocUnsafe(start.end), profile), time.getTime());
  key.writeUInt32BE(Math.floor(at / lowOfStamp), start.at);
  key.writeUIntBE(at % lowOfStamp, start.at + 4, 3);
  key.writeUIntBE(textHash(request) % lowOfStamp, start.request, 3);
  key.writeUInt16BE(index, start.index);
  return key;
};

export const profileIn = (key: Buffer): string => key.toString('hex', start.profile, start.time);

export const timeIn = (key: Buffer): Date => new Date(key.readUIntBE(start.time, 6) - earliest);

export const partsOf = (key: Buffer): KeyParts => ({
  profile: profileIn(key),
  time: timeIn(key),
  at: key.readUInt32BE(start.at) * lowOfStamp + key.readUIntBE(start.at + 4, 3),
  index: key.readUInt16BE(start.index),
});

export interface KeySpan {
  since?: Date;
}

export const keysOf = (profile: string, { since }: KeySpan = {}): { $gte: Buffer; $lte: Buffer } => {
  const first = writeProfile(Buffer.alloc(start.end), profile);
  const last = writeProfile(Buffer.alloc(start.end, 0xff), profile);
  return {
    $gte: since ? writeTime(first, since.getTime()) : first,
    $lte: last,
  };
};
