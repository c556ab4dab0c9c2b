import { hash, randomBytes } from 'node:crypto';

/**
 * The id of an accepted request holds its stamp and a check that only this installation can make for this workspace. So it can be recognised
 * without a list of all waiting requests.
 */
const check = (secret: string, ws: string, stamp: string): string =>
  hash('sha256', `${secret}\n${ws}\n${stamp}`, 'hex').slice(0, 8);

export const requestId = (secret: string, ws: string, stamp: number): string => {
  const time = stamp.toString(36);
  return `r${time}-${check(secret, ws, time)}`;
};

/** The stamp of an id that was checked before. */
export const stampInId = (id: string): number => Number.parseInt(id.slice(1, id.indexOf('-')), 36);

/** The stamp of a request id that we gave to this workspace, or undefined for any other text. */
export const stampOfRequestId = (secret: string, ws: string, id: string): number | undefined => {
  const match = /^r([0-9a-z]{8,12})-([0-9a-f]{8})$/.exec(id);
  const [, time = '', given] = match ?? [];
  return match && given === check(secret, ws, time) ? Number.parseInt(time, 36) : undefined;
};

/** The id of a request that was not accepted: for the logs of both sides, nothing can be looked up under it. */
export const refusedId = (): string => `x${randomBytes(9).toString('hex')}`;
