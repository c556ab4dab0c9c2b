/** Headers of requests and answers, as they stand in the document. */
import type { OperationOf } from '../operation.ts';

const requestHeaders = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe: the same request sent again under the same key is applied once and gets the first answer back. ' +
      'Another body under the same key is 422.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[ -~]+$',
      description: 'Any printable text, a UUID for example.',
    },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      '`wait=N` (seconds): answer after the request has been applied, with what became of each entry, if that takes no longer.',
    schema: { type: 'string', description: 'For example `wait=5`. Anything else is ignored.' },
  },
} as const;

const answerHeaders = {
  'X-Request-Id': {
    description:
      'Id of the request. Of one that changes something and was accepted, `GET /requests/{id}` tells what became of it.',
    schema: { type: 'string', description: 'Request id.' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in the current window.',
    schema: { type: 'integer', description: 'Requests.' },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window.',
    schema: { type: 'integer', description: 'Requests.' },
  },
  'X-RateLimit-Reset': {
    description: 'When the window ends, in UTC epoch seconds.',
    schema: { type: 'integer', description: 'Epoch seconds.' },
  },
  'X-Roster-Price': {
    description: 'Points that the request cost, also when it was refused.',
    schema: { type: 'integer', description: 'Points.' },
  },
  'X-Roster-Work-Remaining': {
    description: 'Points that the workspace has left in the current window.',
    schema: { type: 'integer', description: 'Points.' },
  },
  'X-Roster-Work-Reset': {
    description: 'When the window of the points ends, in UTC epoch seconds.',
    schema: { type: 'integer', description: 'Epoch seconds.' },
  },
  'X-Roster-Fresh': {
    description: 'Whether the answer includes everything that was accepted before it.',
    schema: { type: 'string', enum: ['true', 'false'], description: 'true or false.' },
  },
  'Preference-Applied': {
    description: '`wait` when the request asked to wait with `Prefer`.',
    schema: { type: 'string', description: 'The preference.' },
  },
  ETag: {
    description: 'Version of the user, the same as `meta.version`.',
    schema: { type: 'string', description: 'A weak entity tag.' },
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 1, description: 'Seconds.' },
  },
  Allow: {
    description: 'Methods that the path has.',
    schema: { type: 'string', description: 'Comma-separated methods.' },
  },
} as const;

type AnswerHeader = keyof typeof answerHeaders;

const limited: AnswerHeader[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Roster-Price',
  'X-Roster-Work-Remaining',
  'X-Roster-Work-Reset',
];
const byStatus: Record<number, AnswerHeader[]> = {
  401: [],
  405: ['Allow'],
  429: [...limited, 'Retry-After'],
  503: [...limited, 'Retry-After'],
};

export const headerComponents = { parameters: requestHeaders, headers: answerHeaders };

export function requestHeadersOf({ kind, answer }: OperationOf<string>): { $ref: string }[] {
  const names: (keyof typeof requestHeaders)[] = [];
  if (kind === 'write') names.push('IdempotencyKey');
  if (answer === 'receipt') names.push('Prefer');
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

export function answerHeadersOf(
  { kind, answer, dialect }: OperationOf<string>,
  status: number,
): Record<string, { $ref: string }> {
  const names: AnswerHeader[] = ['X-Request-Id', ...(byStatus[status] ?? limited)];
  if (status < 300 && dialect === 'scim') names.push('ETag');
  else if (status < 300 && kind === 'read') names.push('X-Roster-Fresh');
  if (status < 300 && answer === 'receipt') names.push('Preference-Applied');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
