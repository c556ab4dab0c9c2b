import { hash, randomBytes } from 'node:crypto';
import { knownSecrets, makingSecret, type Secrets } from '@roster/secrets';

/**
 * The id of an accepted request holds its stamp and a check that only this installation can make for this workspace. So it can be recognised
 * without a list of all waiting requests.
 */
const check = (secret: string, ws: string, stamp: string): string =>
  hash('sha256', `${secret}\n${ws}\n${stamp}`, 'hex').slice(0, 8);

export const requestId = (secrets: Secrets, ws: string, stamp: number): string => {
  const time = stamp.toString(36);
  return `r${time}-${check(makingSecret(secrets), ws, time)}`;
};

/** The stamp of an id that was checked before. */
export const stampInId = (id: string): number => Number.parseInt(id.slice(1, id.indexOf('-')), 36);

/** The stamp of a request id that we gave to this workspace, or undefined for any other text. */
export const stampOfRequestId = (secrets: Secrets, ws: string, id: string): number | undefined => {
  const match = /^r([0-9a-z]{8,12})-([0-9a-f]{8})$/.exec(id);
  const [, time = '', given] = match ?? [];
  const isOurs = match && knownSecrets(secrets).some((secret) => given === check(secret, ws, time));
  return isOurs ? Number.parseInt(time, 36) : undefined;
};

/** The ids that a request with this stamp may have: it keeps the one that it was accepted under, whatever secret makes ids by now. */
export const idsOfStamp = (secrets: Secrets, ws: string, stamp: number): string[] =>
  knownSecrets(secrets).map((secret) => requestId(secret, ws, stamp));

/** The id of a request that was not accepted: for the logs of both sides, nothing can be looked up under it. */
export const refusedId = (): string => `x${randomBytes(9).toString('hex')}`;
