/** The limits of an API key or SCIM token: IP addresses and expiry. */
import { isIpRange } from '@roster/access';
import type { Command } from 'commander';
import { refuseAll } from './result.ts';

/** The options that limit a secret. */
export interface Limits {
  ip: string[];
  expires?: string;
}

const days: Record<string, number> = { d: 1, w: 7, y: 365 };

/** A date, or a time from now: `90d`, `2w`, `1y`. */
const expiryOf = (text: string, now: Date): string | undefined => {
  const [, count, unit = ''] = /^(\d{1,4})([dwy])$/.exec(text) ?? [];
  const time = count ? now.getTime() + Number(count) * (days[unit] ?? 0) * 86_400_000 : Date.parse(text);
  const isMeant = count !== undefined || /\d{4}-\d\d-\d\d/.test(text);
  return isMeant && Number.isFinite(time) ? new Date(time).toISOString() : undefined;
};

const expiryProblems = (text: string, expires: string | undefined, now: Date): string[] => {
  if (!expires) return [`--expires ${text} is no date; give one like 2027-01-31 or 90d`];
  return Date.parse(expires) <= now.getTime() ? [`--expires ${text} is already over`] : [];
};

/** The limits as they are stored. All problems are reported at once; `more` are those of one kind. */
export const limitsOf = (noun: string, { ip, expires }: Limits, now: Date, more: readonly string[]) => {
  const until = expires && expiryOf(expires, now);
  const alien = ip.filter((range) => !isIpRange(range));
  refuseAll(`no ${noun} was made`, [
    ...more,
    ...alien.map((range) => `--ip ${range} is no address or CIDR range like 10.0.0.0/8`),
    ...(expires === undefined ? [] : expiryProblems(expires, until, now)),
  ]);
  return { ips: ip, expires: until };
};

export const collect = (text: string, before: string[]): string[] => [
  ...before,
  ...text.split(',').filter(Boolean),
];

export const withLimits = (command: Command): Command =>
  command
    .option(
      '--ip <address>',
      'from where it may be used: addresses or CIDR ranges; repeat it for more',
      collect,
      [],
    )
    .option('--expires <when>', 'until when: a date, or 90d, 2w, 1y from now');
