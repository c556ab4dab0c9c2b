/** From the variables ROSTER_SECRET and ROSTER_SECRET_ALSO. */
import type { OtherSecret, Secrets } from './secrets.ts';

export interface SecretVariables {
  ROSTER_SECRET: string;
  ROSTER_SECRET_ALSO: string;
}

const name = 'ROSTER_SECRET_ALSO';
const shortest = 16;

/** Each costs one more digest for each look-up. */
const mostOthers = 4;

/** Midnight (UTC) at the beginning of the day; undefined for a day that no calendar has. */
const dayIn = (text: string): Date | undefined => {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : undefined;
};

/** After a date: a secret may have any characters. */
const betweenSecrets = /(?<=@\d{4}-\d\d-\d\d),?\s+/;

/** Errors name the place, never the secret. */
const otherIn = (text: string, place: number): OtherSecret => {
  const [, secret = '', date] = /^(.*)@(\d{4}-\d\d-\d\d)$/s.exec(text) ?? [];
  const until = dayIn(date ?? '');
  if (/@\d{4}-\d\d-\d\d/.test(secret))
    throw new Error(`secret ${place + 1} of ${name} has two dates; write a space between two secrets`);
  if (date !== undefined && !until)
    throw new Error(`secret ${place + 1} of ${name} has the date ${date}, and no calendar has that day`);
  if (!until)
    throw new Error(
      `secret ${place + 1} of ${name} has no date; write it behind the secret: <secret>@2027-03-01`,
    );
  if (secret.length < shortest)
    throw new Error(
      `secret ${place + 1} of ${name} is too short; a secret has at least ${shortest} characters`,
    );
  return { secret, until };
};

export const secretsOf = ({ ROSTER_SECRET: makes, ROSTER_SECRET_ALSO: also }: SecretVariables): Secrets => {
  if (also === '') return makes;
  const others = also.split(betweenSecrets).map(otherIn);
  if (others.length > mostOthers)
    throw new Error(`${name} has ${others.length} secrets; ${mostOthers} are possible`);
  const all = [makes, ...others.map(({ secret }) => secret)];
  if (new Set(all).size < all.length)
    throw new Error(`ROSTER_SECRET and ${name} name one secret twice; name each secret once`);
  return { makes, others };
};
