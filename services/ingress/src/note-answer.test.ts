import { type OperationId, operationOf } from '@roster/contract';
import type { SecurityEvent } from '@roster/runtime';
import { noteAnswer } from './note-answer.ts';

const noted = (id: OperationId, status: number, passage: object): SecurityEvent[] => {
  const events: SecurityEvent[] = [];
  noteAnswer(operationOf(id), { note: (event) => void events.push(event) }, status, '192.0.2.7', {
    ...{ entries: 0, ws: 'shop', by: 'k1', price: 1, releases: [] },
    ...passage,
  });
  return events;
};

const key = { by: 'key:k1', ws: 'shop' };
const from = '192.0.2.0/24';
const invented = { by: undefined, ws: undefined };
const oldToken = { by: 't1', ws: 'company:acme', refusal: 'not usable' };

it.each<[OperationId, status: number, passage: object, ...events: object[]]>([
  ['users.track', 201, {}],
  ['users.track', 400, {}],
  ['users.track', 429, {}],
  ['users.delete', 503, {}],
  ['users.export.ids', 404, {}],
  ['users.delete', 202, {}, { event: 'people.deleted', ...key }],
  ['users.export.ids', 200, {}, { event: 'people.exported', ...key }],
  ['users.track', 403, { refusal: 'ip' }, { event: 'key.forbidden', ...key, reason: 'ip', from }],
  ['users.track', 401, invented, { event: 'key.refused', reason: 'unknown', from }],
  [
    'scim.users.list',
    401,
    oldToken,
    { event: 'key.refused', by: 'scim:t1', ws: 'company:acme', reason: 'not usable', from },
  ],
])('%s with %d and %j: the security events', (op, status, passage, ...events) => {
  expect(noted(op, status, passage)).toEqual(events.map((event) => ({ ...event, op })));
});
