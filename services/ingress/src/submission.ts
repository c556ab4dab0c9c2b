/** The submission of an accepted request to its queue. */
import type { IncomingMessage } from 'node:http';
import type { Operation } from '@roster/contract';
import type { Submission } from '@roster/queue';
import type { Passage } from './passage.ts';
import { idempotencyKeyIn } from './prefer.ts';
import type { JudgedBody } from './understand.ts';

/** The headers that the operation declares and the caller has sent. */
const declaredHeaders = (
  { request: { headers } }: Operation,
  sent: IncomingMessage,
): Record<string, string> | undefined => {
  if (!headers) return undefined;
  const found = Object.keys(headers.properties).flatMap((name) => {
    const value = sent.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
};

interface JudgedRequest extends Pick<Submission, 'waitMs' | 'takeRoom'> {
  judged: JudgedBody;
}

export const submissionOf = (
  operation: Operation,
  request: IncomingMessage,
  { ws = '', by, from }: Passage,
  { judged, waitMs, takeRoom }: JudgedRequest,
): Submission => {
  const { params, query, body, entries, exact, needs, people, fingerprint } = judged;
  const key = operation.kind === 'write' ? idempotencyKeyIn(request.headers) : undefined;
  const headers = declaredHeaders(operation, request);
  return {
    ws,
    op: operation.id,
    family: operation.queue,
    content: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(exact && { exact }),
      ...(needs && { needs }),
      ...(by && (operation.auth === 'scim' || operation.recorded || operation.signed) && { by }),
      ...(from !== undefined && operation.signed && { from }),
    },
    body,
    entries,
    waitMs,
    ...(takeRoom && { takeRoom }),
    ...(people && { people }),
    ...(key !== undefined && fingerprint !== undefined && { idempotency: { key, fingerprint } }),
  };
};
