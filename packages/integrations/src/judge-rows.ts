/** Judges the entries of rows as the ingress would, and makes the body of their request. */
import {
  type DataKind,
  type EntryError,
  holdsLong,
  type JudgeSettings,
  operationOf,
  packExact,
  type RowIdentifier,
  scan,
} from '@roster/contract';
import { createJudge, priceOf } from '@roster/judge';
import type { Entry } from './entry.ts';
import { type RequestKind, requestKinds } from './request.ts';

interface Judged {
  /** Of the entries that are accepted: their places among those that were given. */
  accepted: readonly number[];
  refused: readonly { place: number; reason: string }[];
  /** The request of the accepted ones; absent when there are none. */
  request?: {
    op: RequestKind['op'];
    body: Buffer;
    exact: boolean;
    entries: number;
    /** In points, as a caller would pay for it. */
    price: number;
  };
}

interface Asked {
  data: DataKind;
  by: RowIdentifier['by'];
  entries: readonly Entry[];
}

/** Payloads may be nested: each entry has to be looked at. */
const unknownDepth = Number.POSITIVE_INFINITY;

export type JudgeRows = (asked: Asked, settings: JudgeSettings) => Judged;

const bytesOf = (body: unknown, exact: boolean): Buffer =>
  Buffer.from(exact ? packExact(body) : JSON.stringify(body));

const requestOf = (kind: RequestKind, body: unknown, entries: number, exact: boolean) => {
  const bytes = bytesOf(body, exact);
  const price = priceOf(operationOf(kind.op), { ...scan(bytes), entries });
  return { op: kind.op, body: bytes, exact, entries, price };
};

export const createJudgeRows = (): JudgeRows => {
  // Only of the operations that rows become: it takes its time.
  const judge = createJudge([...new Set(Object.values(requestKinds).map(({ op }) => operationOf(op)))]);

  /** A list of entries, from which those that are refused are taken out. */
  const together = ({ data, by, entries }: Asked, settings: JudgeSettings): Judged => {
    const kind = requestKinds[data];
    const list = kind.list(by);
    const body = kind.body(entries, by);
    const exact = holdsLong(body);
    const verdict = judge(
      operationOf(kind.op),
      { body, depth: unknownDepth, exact },
      { ...settings, maxUpdates: entries.length },
    );
    const errors = verdict.ok
      ? ((verdict.answer.body.errors ?? []) as EntryError[])
      : verdict.rejection.errors;
    // It is about the body as a whole, so about each of its rows.
    if (!errors && !verdict.ok)
      return {
        accepted: [],
        refused: entries.map((_, place) => ({ place, reason: verdict.rejection.message })),
      };
    const refused = (errors ?? []).map(({ index, type }) => ({ place: index, reason: type }));
    const places = new Set(refused.map(({ place }) => place));
    const accepted = entries.map((_, place) => place).filter((place) => !places.has(place));
    if (!verdict.ok || accepted.length === 0) return { accepted: [], refused };
    const judged = (verdict.accepted.body as { [list: string]: unknown[] })[list] ?? [];
    const kept = accepted.map((place) => judged[place]);
    return { accepted, refused, request: requestOf(kind, { [list]: kept }, kept.length, exact) };
  };

  /** One by one first: what is wrong in one of them would refuse all. */
  const apart = ({ data, by, entries }: Asked, settings: JudgeSettings): Judged => {
    const kind = requestKinds[data];
    const operation = operationOf(kind.op);
    const reasons = entries.map((entry) => {
      const verdict = judge(operation, { body: kind.body([entry], by) }, settings);
      return verdict.ok ? undefined : verdict.rejection.message;
    });
    const refused = reasons.flatMap((reason, place) => (reason === undefined ? [] : [{ place, reason }]));
    const accepted = entries.map((_, place) => place).filter((place) => reasons[place] === undefined);
    if (accepted.length === 0) return { accepted, refused };
    const good = entries.filter((_, place) => reasons[place] === undefined);
    const body = kind.body(good, by);
    const verdict = judge(operation, { body }, settings);
    if (!verdict.ok) throw verdict.rejection;
    const request = requestOf(kind, verdict.accepted.body, verdict.entries, false);
    return { accepted, refused, request };
  };

  return (asked, settings) => (requestKinds[asked.data].oneByOne ? together : apart)(asked, settings);
};
