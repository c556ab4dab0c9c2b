/** The common part of API keys and SCIM tokens: their limits, and how they are made, listed and revoked. */
import { isIpRange } from '@roster/access';
import type { AuditEntry, Store } from '@roster/store';
import type { Redis } from 'ioredis';
import { audited, publish } from './audited.ts';
import { type Flags, list, type Tools } from './command.ts';
import { failed, missing, type Result, refuseAll } from './result.ts';
import { type Columns, table } from './shown.ts';

interface SecretRecord {
  id: string;
  name: string;
  hash: string;
  ips?: string[];
  expires?: string;
  revoked?: string;
}

export interface Kind<Kept extends SecretRecord> {
  noun: 'key' | 'token';
  /** The commands that list and revoke them. */
  commands: string;
  audited: 'key' | 'scim_token';
  records(store: Store): Store['keys'];
  publish(redis: Redis, record: Kept): Promise<void>;
  /** The details of its rows in the audit log. */
  row(record: Kept): Pick<AuditEntry, 'set' | 'company'>;
  /** The id in a whole secret. */
  idIn(text: string): string | undefined;
  /** Its own columns of the list. */
  owner: Columns<Kept>;
  allowed: Columns<Kept>;
}

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

export const limitFlags: Flags = {
  '--ip <address>': list('from where it may be used: addresses or CIDR ranges; repeat it for more', ','),
  '--expires <when>': 'until when: a date, or 90d, 2w, 1y from now',
};

const withoutHash = <Kept extends SecretRecord>({ hash: _kept, ...record }: Kept) => record;

const stateOf = ({ revoked, expires }: SecretRecord, now: Date): string => {
  if (revoked) return `revoked ${revoked.slice(0, 10)}`;
  if (!expires) return 'active';
  return Date.parse(expires) <= now.getTime() ? 'expired' : `until ${expires.slice(0, 10)}`;
};

export const listSecrets = async <Kept extends SecretRecord>(
  { servers, io }: Tools,
  kind: Kind<Kept>,
  filter?: { ws: string },
): Promise<Result> => {
  const records = await kind.records(await servers.store()).list<Kept>(filter);
  return {
    json: records.map(withoutHash),
    text: table(records, {
      ID: ({ id }) => id,
      ...kind.owner,
      NAME: ({ name }) => name,
      STATE: (record) => stateOf(record, io.now()),
      ...kind.allowed,
      FROM: ({ ips }) => ips?.join(' ') ?? 'any',
    }),
  };
};

const save = async <Kept extends SecretRecord>(
  { servers, io }: Tools,
  kind: Kind<Kept>,
  record: Kept,
  what: 'created' | 'revoked',
): Promise<void> => {
  const store = await servers.store();
  const entry = { what: `${kind.audited}.${what}`, target: record.id, ...kind.row(record), now: io.now() };
  await audited(store, entry, (session) => kind.records(store).put(record, session));
};

/** `of`: the workspace or company it belongs to, for the note. */
export const keepSecret = async <Kept extends SecretRecord>(
  tools: Tools,
  kind: Kind<Kept>,
  { record, text, of }: { record: Kept; text: string; of: string },
): Promise<Result> => {
  const { noun } = kind;
  const { id, name } = record;
  await save(tools, kind, record, 'created');
  await publish(tools.servers, `${noun} ${id} is saved`, (redis) => kind.publish(redis, record)).catch(
    (error) => {
      // The secret is known only here: show it, also after a failure.
      throw failed(`${error.message}\nThe ${noun}, shown this once: ${text}`);
    },
  );
  return {
    json: { [noun]: text, ...withoutHash(record) },
    text: `${text}\n`,
    unseen: `The ${noun} ${id} ("${name}") is active, and its secret is lost. Revoke it: "${kind.commands} revoke ${id}".`,
    notes: [
      `${noun === 'key' ? 'Key' : 'Token'} ${id} ("${name}") ${of}. Keep it now: it is shown this once and stored nowhere.`,
    ],
  };
};

/** The whole secret may be given for its id. Revoking twice is harmless, and tells the ingress again. */
export const revokeSecret = async <Kept extends SecretRecord>(
  tools: Tools,
  kind: Kind<Kept>,
  given: string,
): Promise<Result> => {
  const { servers, io } = tools;
  const { noun } = kind;
  const id = kind.idIn(given) ?? given;
  const record = await kind.records(await servers.store()).get<Kept>(id);
  if (!record) throw missing(`there is no ${noun} ${id}. "${kind.commands} list" shows them.`);
  const revoked = { ...record, revoked: record.revoked ?? io.now().toISOString() };
  if (!record.revoked) await save(tools, kind, revoked, 'revoked');
  await publish(servers, `${noun} ${id} is revoked`, (redis) => kind.publish(redis, revoked));
  const text = record.revoked
    ? `${noun} ${id} had been revoked ${record.revoked}\n`
    : `${noun} ${id} ("${record.name}") is revoked\n`;
  return { json: withoutHash(revoked), text };
};
