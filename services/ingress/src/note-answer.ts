/** Which answers are security events. Nearly all are none, and then it costs two comparisons. */
import type { Operation } from '@roster/contract';
import { networkOf } from '@roster/runtime';
import type { Edge } from './edge.ts';
import type { Passage } from './passage.ts';

const kindOf = ({ auth }: Operation): string => (auth === 'scim' ? 'scim' : 'key');

export const noteAnswer = (
  operation: Operation,
  edge: Pick<Edge, 'note'>,
  status: number,
  ip: string,
  { ws, by, refusal = 'unknown' }: Passage,
): void => {
  const { recorded, id: op } = operation;
  const isDone = status < 300 && recorded !== undefined;
  if (!isDone && status !== 401 && status !== 403) return;
  const who = { ...(by && { by: `${kindOf(operation)}:${by}` }), ...(ws && { ws }), op };
  if (isDone) edge.note({ event: recorded, ...who });
  else {
    const event = status === 401 ? 'key.refused' : 'key.forbidden';
    edge.note({ event, ...who, reason: refusal, from: networkOf(ip) ?? 'unknown' });
  }
};
