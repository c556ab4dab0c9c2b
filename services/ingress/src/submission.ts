/** The submission of an accepted request to its queue. */
import type { IncomingMessage } from 'node:http';
import { type Operation, packExact, peopleNamed, type Verdict } from '@roster/contract';
import { keysNamed } from '@roster/profile';
import { fingerprint, type Submission } from '@roster/queue';
import type { Passage } from './passage.ts';
import { idempotencyKeyIn } from './prefer.ts';
import type { Body } from './understand.ts';

export type Accepted = Extract<Verdict, { ok: true }>;

const nothing = Buffer.alloc(0);

/** The bytes as they came in, unless the judge had to change something. */
const bytesOf = (body: Body | undefined, accepted: unknown): Buffer => {
  if (accepted === undefined) return nothing;
  if (body?.exact) return Buffer.from(packExact(accepted));
  return body && accepted === body.value ? body.bytes : Buffer.from(JSON.stringify(accepted));
};

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

interface Judged extends Pick<Submission, 'waitMs' | 'takeRoom'> {
  accepted: Accepted;
  body: Body | undefined;
}

export const submissionOf = (
  operation: Operation,
  request: IncomingMessage,
  { ws = '', by }: Passage,
  { accepted, body, waitMs, takeRoom }: Judged,
): Submission => {
  const key = operation.kind === 'write' ? idempotencyKeyIn(request.headers) : undefined;
  const { params, query } = accepted.accepted;
  const headers = declaredHeaders(operation, request);
  const queued = bytesOf(body, accepted.accepted.body);
  // The fingerprint is kept for a day. A provisioner's password is not in it, because it is not in what is queued.
  const known = operation.dialect === 'scim' ? queued : (body?.bytes ?? nothing);
  return {
    ws,
    op: operation.id,
    family: operation.queue,
    content: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(body?.exact && { exact: true as const }),
      ...(by && (operation.auth === 'scim' || operation.recorded) && { by }),
    },
    body: queued,
    entries: accepted.entries,
    waitMs,
    ...(takeRoom && { takeRoom }),
    ...(operation.notice && {
      people: {
        keys: keysNamed(ws, peopleNamed(operation.id, accepted.accepted.body)),
        deletes: operation.notice === 'deleted',
      },
    }),
    ...(key !== undefined && { idempotency: { key, fingerprint: fingerprint(known) } }),
  };
};
