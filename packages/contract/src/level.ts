/**
 * What the requests of a newer version may need of their worker. While versions run side by side, a worker parks a request that needs more than it
 * knows, and a newer worker takes it: docs/upgrading.md.
 */
import { type OperationId, operationById } from './operations/index.ts';

/** What came after 0.1.0, by the level that it needs: an operation, or of one a member, as its place in the body (`attributes.nickname`), or a new text in a closed list (`fields_to_export.nickname`). */
interface Addition {
  level: number;
  op: OperationId;
  member?: string;
}

/** A change of what requests hold adds a row; `level` is the highest one. */
const additions: readonly Addition[] = [];

/** What this version knows. */
export const level = 1;

const holds = (value: unknown, [name, ...rest]: readonly string[]): boolean => {
  if (name === undefined) return value !== undefined;
  if (Array.isArray(value)) return value.some((item) => holds(item, [name, ...rest]));
  if (typeof value === 'string') return value === name && rest.length === 0;
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isThere && holds((value as Record<string, unknown>)[name], rest);
};

/** The level that a request needs; undefined for the first one, which every version knows. */
export const needsOf = (
  op: OperationId,
  body: unknown,
  added: readonly Addition[] = additions,
): number | undefined => {
  const needed = added.filter((one) => one.op === op && (!one.member || holds(body, one.member.split('.'))));
  return needed.length > 0 ? Math.max(...needed.map((one) => one.level)) : undefined;
};

/** Whether this version can apply a request. */
export const isKnown = (op: string, needs = 1): boolean => needs <= level && operationById(op) !== undefined;
