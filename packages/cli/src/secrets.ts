/** What API keys and SCIM tokens have in common: how long and from where they are good, how they are made, and how they end. */
import { isAddressRange } from '@roster/access';
import type { AuditEntry, Store } from '@roster/store';
import type { Command } from 'commander';
import type { Redis } from 'ioredis';
import { audited } from './audited.ts';
import { publish } from './publish.ts';
import { failed, missing, type Result, wrong } from './result.ts';
import type { Servers } from './servers.ts';

interface SecretRecord {
  id: string;
  name: string;
  hash: string;
  expires?: string;
  revoked?: string;
}

export interface Kind<Kept extends SecretRecord> {
  noun: 'key' | 'token';
  /** Which command lists them. */
  list: string;
  audited: 'key' | 'scim_token';
  records(store: Store): Store['keys'];
  publish(redis: Redis, record: Kept): Promise<void>;
  /** What its rows in the audit log say of it. */
  row(record: Kept): Pick<AuditEntry, 'set' | 'company'>;
}

const days: Record<string, number> = { d: 1, w: 7, y: 365 };

/** A date, or a time from now: `90d`, `2w`, `1y`. */
export const expiryOf = (text: string, now: Date): string | undefined => {
  const [, count, unit] = /^(\d{1,4})([dwy])$/.exec(text) ?? [];
  const time =
    count && unit ? now.getTime() + Number(count) * (days[unit] ?? 0) * 86_400_000 : Date.parse(text);
  return Number.isFinite(time) && /\d{4}-\d\d-\d\d|^\d+[dwy]$/.test(text)
    ? new Date(time).toISOString()
    : undefined;
};

const expiryProblems = (text: string | undefined, now: Date): string[] => {
  if (text === undefined) return [];
  const expires = expiryOf(text, now);
  if (!expires) return [`--expires ${text} is no date; give one like 2027-01-31 or 90d`];
  return Date.parse(expires) <= now.getTime() ? [`--expires ${text} is already over`] : [];
};

/** Of what is given for every secret; `more` is of this kind alone. Everything is said at once. */
export const checkSecret = (
  noun: string,
  more: readonly string[],
  { ip, expires }: { ip: readonly string[]; expires?: string },
  now: Date,
): void => {
  const problems = [
    ...more,
    ...ip
      .filter((range) => !isAddressRange(range))
      .map((range) => `--ip ${range} is no address or CIDR range like 10.0.0.0/8`),
    ...expiryProblems(expires, now),
  ];
  if (problems.length > 0) throw wrong(`no ${noun} was made:\n  - ${problems.join('\n  - ')}`);
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

export const withoutHash = <Kept extends SecretRecord>({ hash: _kept, ...record }: Kept) => record;

export const stateOf = ({ revoked, expires }: SecretRecord, now: Date): string => {
  if (revoked) return `revoked ${revoked.slice(0, 10)}`;
  if (!expires) return 'active';
  return Date.parse(expires) <= now.getTime() ? 'expired' : `until ${expires.slice(0, 10)}`;
};

const save = async <Kept extends SecretRecord>(
  servers: Servers,
  kind: Kind<Kept>,
  record: Kept,
  { what, now }: { what: 'created' | 'revoked'; now: Date },
): Promise<void> => {
  const store = await servers.store();
  const entry = { what: `${kind.audited}.${what}`, target: record.id, ...kind.row(record), now };
  await audited(store, entry, (session) => kind.records(store).put(record, session));
};

/** `whose`: of what it is, for the note. */
export const keepSecret = async <Kept extends SecretRecord>(
  servers: Servers,
  kind: Kind<Kept>,
  { record, text, whose, now }: { record: Kept; text: string; whose: string; now: Date },
): Promise<Result> => {
  const { noun } = kind;
  await save(servers, kind, record, { what: 'created', now });
  await publish(servers, `${noun} ${record.id} is saved`, (redis) => kind.publish(redis, record)).catch(
    (error) => {
      // The secret is known only here: show it, whatever else went wrong.
      throw failed(`${error.message}\nThe ${noun}, shown this once: ${text}`);
    },
  );
  const name = noun === 'key' ? 'Key' : 'Token';
  return {
    json: { [noun]: text, ...withoutHash(record) },
    text: `${text}\n`,
    notes: [
      `${name} ${record.id} ("${record.name}") ${whose}. Keep it now: it is shown this once and stored nowhere.`,
    ],
  };
};

/** Twice is fine, and tells the ingress again. */
export const revokeSecret = async <Kept extends SecretRecord>(
  servers: Servers,
  kind: Kind<Kept>,
  id: string,
  now: Date,
): Promise<Result> => {
  const { noun, list } = kind;
  const record = await kind.records(await servers.store()).get<Kept>(id);
  if (!record) throw missing(`there is no ${noun} ${id}. "${list}" shows them.`);
  const revoked = { ...record, revoked: record.revoked ?? now.toISOString() };
  if (!record.revoked) await save(servers, kind, revoked, { what: 'revoked', now });
  await publish(servers, `${noun} ${id} is revoked`, (redis) => kind.publish(redis, revoked));
  const text = record.revoked
    ? `${noun} ${id} had been revoked ${record.revoked}\n`
    : `${noun} ${id} ("${record.name}") is revoked\n`;
  return { json: withoutHash(revoked), text };
};
