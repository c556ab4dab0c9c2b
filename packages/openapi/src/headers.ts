/** Headers of requests and answers, as they stand in the document. */
import type { OperationOf } from '@roster/contract';

const requestHeaders = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe: the same request sent again under the same key is applied once and gets the first answer back, with `Prefer: wait` also its effect. ' +
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

const integer = (description: string, unit: string, rules = {}) => ({
  description,
  schema: { type: 'integer', ...rules, description: unit },
});

const text = (description: string, what: string, rules = {}) => ({
  description,
  schema: { type: 'string', ...rules, description: what },
});

const answerHeaders = {
  'X-Request-Id': text(
    'Id of the request. If the request changes something and was accepted, `GET /requests/{id}` tells what became of it.',
    'Request id.',
  ),
  'X-RateLimit-Limit': integer('Requests allowed in the current window.', 'Requests.'),
  'X-RateLimit-Remaining': integer('Requests left in the current window.', 'Requests.'),
  'X-RateLimit-Reset': integer('When the window ends, in UTC epoch seconds.', 'Epoch seconds.'),
  'X-Roster-Price': integer('Points that the request cost, also when it was refused.', 'Points.'),
  'X-Roster-Work-Remaining': integer('Points that the workspace has left in the current window.', 'Points.'),
  'X-Roster-Work-Reset': integer(
    'When the window of the points ends, in UTC epoch seconds.',
    'Epoch seconds.',
  ),
  'X-Roster-Fresh': text(
    'Whether the answer includes everything of the workspace that was accepted before it: of reads about people, which wait up to a second for it. Reads of content, schedules and settings do not wait, and have no such header.',
    'true or false.',
    { enum: ['true', 'false'] },
  ),
  'Preference-Applied': text('`wait` when the request asked to wait with `Prefer`.', 'The preference.'),
  ETag: text('Version of the user, the same as `meta.version`.', 'A weak entity tag.'),
  'Retry-After': integer('Seconds to wait before trying again.', 'Seconds.', { minimum: 1 }),
  'X-Roster-Error': text('The code of the error, as in the list of errors.', 'A stable code.'),
  'X-Roster-Remedy': text('What the caller can do about it.', 'A sentence.'),
  'X-Roster-Retry': text(
    'Whether the same request, under the same `Idempotency-Key`, may be taken later.',
    'true or false.',
    { enum: ['true', 'false'] },
  ),
  Link: text(
    'Pages before and after this one; absent when there are none.',
    'As in RFC 8288, with relative addresses: `</cdi/integrations?cursor=...>; rel="next"`.',
  ),
  Allow: text('Methods that the path has.', 'Comma-separated methods.'),
};

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
  { answer, dialect, links, fresh }: OperationOf<string>,
  status: number,
): Record<string, { $ref: string }> {
  const names: AnswerHeader[] = ['X-Request-Id', ...(byStatus[status] ?? limited)];
  if (status >= 400) names.push('X-Roster-Error', 'X-Roster-Remedy', 'X-Roster-Retry');
  if (status < 300 && dialect === 'scim') names.push('ETag');
  if (status < 300 && fresh) names.push('X-Roster-Fresh');
  if (status < 300 && links) names.push('Link');
  if (status < 300 && answer === 'receipt') names.push('Preference-Applied');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
