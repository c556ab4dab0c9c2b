/** Lists API keys and SCIM tokens, without their hashes. */
import type { AuditEntry, Store } from '@roster/store';
import type { Redis } from 'ioredis';
import type { Tools } from './act.ts';
import type { Result } from './result.ts';
import { table } from './shown.ts';

export interface SecretRecord {
  id: string;
  name: string;
  hash: string;
  ips?: string[];
  expires?: string;
  revoked?: string;
}

export interface Kind<Kept extends SecretRecord> {
  noun: 'key' | 'token';
  /** The command that lists them. */
  list: string;
  audited: 'key' | 'scim_token';
  records(store: Store): Store['keys'];
  publish(redis: Redis, record: Kept): Promise<void>;
  /** The details of its rows in the audit log. */
  row(record: Kept): Pick<AuditEntry, 'set' | 'company'>;
  /** The id in a whole secret. */
  idIn(text: string): string | undefined;
  /** Its own two columns of the list: after the id and before the last. */
  columns: readonly [string, string];
  cells(record: Kept): readonly [string, string];
}

export const withoutHash = <Kept extends SecretRecord>({ hash: _kept, ...record }: Kept) => record;

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
  const [second, last] = kind.columns;
  const rows = records.map((record) => {
    const [one, other] = kind.cells(record);
    return [record.id, one, record.name, stateOf(record, io.now()), other, record.ips?.join(' ') ?? 'any'];
  });
  return {
    json: records.map(withoutHash),
    text: table(['ID', second, 'NAME', 'STATE', last, 'FROM'], rows),
  };
};
