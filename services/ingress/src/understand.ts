/** From the bytes of a body to what is queued of it, in two steps: what it holds is counted and paid for before it is parsed and judged. */
import { isUtf8 } from 'node:buffer';
import {
  type BodyShape,
  bodyShapeFault,
  fingerprint,
  holdsLong,
  isJsonObject,
  type JudgeSettings,
  type MoreLimit,
  needsOf,
  type Operation,
  type Permission,
  packExact,
  parseExact,
  peopleNamed,
  present,
  type Rejection,
  scan,
} from '@roster/contract';
import type { Judge, JudgeInput, Verdict } from '@roster/judge';
import { keysNamed } from '@roster/profile';
import type { Submission } from '@roster/queue';
import { notJson } from './json-fault.ts';

type Accepted = Extract<Verdict, { ok: true }>;

export type Bounds = (shape: BodyShape) => Rejection | undefined;

/** What a body is judged for. */
export interface JudgeQuestion extends Pick<JudgeInput, 'params' | 'query'> {
  operation: Operation;
  ws: string;
  settings: JudgeSettings;
  /** The request has an idempotency key. */
  hasKey: boolean;
}

/** A request that is accepted. Of its body only the bytes are left: the parsed value is garbage before the wait for Redis begins. */
export interface JudgedBody
  extends Pick<Accepted, 'entries' | 'answer'>,
    Pick<Accepted['accepted'], 'params' | 'query'>,
    Pick<Submission, 'body' | 'people'> {
  /** The body holds numbers that a double does not hold. */
  exact: boolean;
  /** The level that its worker needs, if that is not the first. */
  needs?: number;
  fingerprint?: string;
  /** A permission that the body needs besides. */
  alsoNeeds?: Permission;
  /** Limits that depend on the body. */
  limits?: readonly MoreLimit[];
}

/** A body whose work is known. */
export interface CountedBody {
  shape: BodyShape;
  /** Once at most. Throws a rejection. */
  judge(question: JudgeQuestion): JudgedBody | Promise<JudgedBody>;
  /** Called when the body is done with, judged or not. */
  drop(): void;
}

/** Throws a rejection for a body that would be too much work to parse. */
export type Understand = (bytes: Buffer) => CountedBody | Promise<CountedBody>;

/** Counts first: the parser would take the longer the more a body holds. */
export const counted = (bytes: Buffer, fault: Bounds = bodyShapeFault): BodyShape => {
  if (!isUtf8(bytes)) throw notJson(undefined);
  const shape = scan(bytes);
  const rejection = fault(shape);
  if (rejection) throw rejection;
  return shape;
};

/** `exactly`: whole numbers are kept digit by digit; it takes two passes more. */
export const parsed = (bytes: Buffer, exactly = false): unknown => {
  try {
    return exactly ? parseExact(bytes) : JSON.parse(bytes.toString('utf8'));
  } catch {
    throw notJson(bytes.toString('utf8'));
  }
};

const nothing = Buffer.alloc(0);

interface SentBody {
  bytes: Buffer;
  value?: unknown;
  exact: boolean;
  depth: number;
}

const sentIn = (bytes: Buffer, shape: BodyShape, { dialect }: Operation): SentBody => {
  const exactly = (shape.longNumbers ?? 0) > 0 && dialect !== 'scim';
  const value = parsed(bytes, exactly);
  return { bytes, value, exact: exactly && holdsLong(value), depth: shape.depth };
};

/** The bytes as they came in, unless the judge had to change something. */
const bytesOf = ({ bytes, value, exact }: SentBody, accepted: unknown): Buffer => {
  if (accepted === undefined) return nothing;
  if (exact) return Buffer.from(packExact(accepted));
  return accepted === value ? bytes : Buffer.from(JSON.stringify(accepted));
};

const judgedBy = (judge: Judge, sent: SentBody | undefined, question: JudgeQuestion): JudgedBody => {
  const { operation, ws, params, query, settings, hasKey } = question;
  const { notice, dialect, moreLimits, alsoNeeds } = operation;
  const verdict = judge(
    operation,
    {
      ...(sent && { body: sent.value, depth: sent.depth, exact: sent.exact }),
      ...(params && { params }),
      ...(query && { query }),
    },
    settings,
  );
  if (!verdict.ok) throw verdict.rejection;
  const { entries, answer, accepted } = verdict;
  const body = sent ? bytesOf(sent, accepted.body) : nothing;
  // It is kept for a day. A provisioner's password is not in it, because it is not in what is queued.
  const known = dialect === 'scim' ? body : (sent?.bytes ?? nothing);
  return {
    entries,
    answer,
    body,
    exact: sent?.exact === true,
    ...present({ needs: needsOf(operation.id, accepted.body) }),
    ...(alsoNeeds && isJsonObject(accepted.body) && present({ alsoNeeds: alsoNeeds(accepted.body) })),
    ...(moreLimits && isJsonObject(accepted.body) && { limits: moreLimits(accepted.body) }),
    ...(accepted.params && { params: accepted.params }),
    ...(accepted.query && { query: accepted.query }),
    ...(notice && {
      people: {
        keys: keysNamed(ws, peopleNamed(operation.id, accepted.body)),
        deletes: notice === 'deleted',
      },
    }),
    ...(hasKey && { fingerprint: fingerprint(known) }),
  };
};

const emptyShape: BodyShape = { bytes: 0, values: 0, containers: 0, shapes: 0, crowd: 0, texts: 0, depth: 0 };

/** At once, in the thread that asks. */
export const createUnderstand = (judge: Judge, bounds: Bounds = bodyShapeFault) => ({
  /** For an operation without a body. */
  nothing: {
    shape: emptyShape,
    judge: (question: JudgeQuestion): JudgedBody => judgedBy(judge, undefined, question),
    drop: () => {},
  },
  understand(bytes: Buffer) {
    const shape = counted(bytes, bounds);
    return {
      shape,
      judge: (question: JudgeQuestion): JudgedBody =>
        judgedBy(judge, sentIn(bytes, shape, question.operation), question),
      drop: () => {},
    };
  },
});
