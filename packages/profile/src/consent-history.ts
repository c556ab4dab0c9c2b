/**
 * The history of consent, read from what is kept: all statements that ever counted for somebody in the order of record, without those
 * that only repeated the state. Made when it is asked for, so a statement that came late stands in its place, and no gap can be.
 */
import { isDuring, type Said } from './consent.ts';
import { type ConsentRow, type Found, stayKind } from './consent-history-rows.ts';
import type { Consent, ConsentState, Stamp } from './profile.ts';

/** Somebody had an address from the one stamp on, before the other. */
export interface Stay {
  address: string;
  since: Stamp;
  until: Stamp;
}

export interface ConsentHistoryInput {
  rows: readonly ConsentRow[];
  /** The person's service id and those of everybody who was merged into them; nobody for the history of an address. */
  profiles: ReadonlySet<string>;
  stays: readonly Stay[];
  /** What the registers hold now, of the person and of the addresses. */
  own: readonly Consent[];
  said: ReadonlyMap<string, readonly Said[]>;
}

export interface ConsentChange {
  k: string;
  from: ConsentState | null;
  to: ConsentState | null;
  at: Stamp;
  /** Among those with the same stamp. */
  n: number;
  /** Missing when only the register tells of it. */
  request?: string;
  op?: string;
}

type Statement = Omit<ConsentChange, 'from'>;
type Row = ConsentRow & { op?: string };

/** Behind every row of the same request. */
const last = Number.MAX_SAFE_INTEGER;

const counted = (k: string, { v, at }: Found): Statement => ({ k, to: v, at, n: last });

const spoken = ({ k, to, at, n, request, op }: Row): Statement => ({
  k,
  to,
  at,
  n,
  request,
  ...(op !== undefined && { op }),
});

export const staysIn = (rows: readonly ConsentRow[]): Stay[] =>
  rows.flatMap(({ k, address, since, at }) =>
    k === stayKind && address !== undefined && since !== undefined ? [{ address, since, until: at }] : [],
  );

const byAddress = (stays: readonly Stay[]): ReadonlyMap<string, Stay[]> => {
  const all = new Map<string, Stay[]>();
  for (const stay of stays) {
    const same = all.get(stay.address);
    if (same) same.push(stay);
    else all.set(stay.address, [stay]);
  }
  return all;
};

const statementsIn = ({ rows, profiles, stays, own, said }: ConsentHistoryInput): Statement[] => {
  const found: Statement[] = own.map((one) => counted(one.k, one));
  for (const stay of stays)
    for (const one of said.get(stay.address) ?? []) if (isDuring(one, stay)) found.push(counted(one.k, one));
  const staysAt = byAddress(stays);
  for (const row of rows) {
    if (row.k === stayKind) continue;
    const theirs = staysAt.get(row.address ?? '') ?? [];
    const isTheirs = row.profile !== undefined && profiles.has(row.profile);
    if (isTheirs && row.own) found.push(counted(row.k, row.own));
    if (isTheirs || theirs.some((stay) => isDuring(row, stay))) found.push(spoken(row));
    const { said: before } = row;
    if (before && theirs.some((stay) => isDuring(before, stay))) found.push(counted(row.k, before));
  }
  return found;
};

const inOrder = (a: Statement, b: Statement): number => a.at - b.at || a.n - b.n;

/** Newest first. */
export const consentHistory = (input: ConsentHistoryInput): ConsentChange[] => {
  const states = new Map<string, ConsentState | null>();
  const changes: ConsentChange[] = [];
  for (const statement of statementsIn(input).toSorted(inOrder)) {
    const from = states.get(statement.k) ?? null;
    if (from === statement.to) continue;
    states.set(statement.k, statement.to);
    changes.push({ ...statement, from });
  }
  return changes.reverse();
};
