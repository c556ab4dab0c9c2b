import { type Static, Type } from '@sinclair/typebox';
import { example, operation } from '../../operation.ts';
import { outcomeMembers, requestState } from '../../outcome-report.ts';
import { anyObject, label, maybe, text } from '../../shape.ts';
import { successAnswer } from '../answers.ts';
import { refusedAs } from '../examples.ts';
import { readRow } from '../read-row.ts';

const requestReport = successAnswer('RequestReport', 'What became of the request.', {
  request_id: text('Id of the request.'),
  operation: maybe(text('Id of the operation, such as `users.track`; not known while it is queued.')),
  state: requestState,
  accepted_at: text('When it was accepted, ISO 8601.'),
  applied_at: maybe(text('When it was applied, ISO 8601.')),
  ...outcomeMembers,
  answer: maybe(anyObject('The answer of a request about content: for a caller that got 202 first.')),
});

export type RequestReport = Static<typeof requestReport>;

export const requestsRead = operation({
  ...readRow,
  id: 'requests.read',
  path: '/requests/{id}',
  tag: 'Requests',
  summary: 'What became of a request',
  description:
    'Every answer has a header `X-Request-Id`. With the id of an accepted request that changes something, this operation tells whether the request is queued, applied or failed, and what became of each entry. Nothing is kept of other requests. Kept for 30 days unless configured.',
  request: {
    params: Type.Object({ id: label('The `X-Request-Id` of the request.') }),
  },
  responses: { 200: requestReport },
  rejections: ['REQUEST_NOT_FOUND'],
  examples: [
    example('A request that was applied', {
      params: { id: 'rmigxmm5blc-4f0a9c' },
      200: {
        message: 'success',
        request_id: 'rmigxmm5blc-4f0a9c',
        operation: 'users.track',
        state: 'applied',
        accepted_at: '2026-01-31T12:00:00.000Z',
        applied_at: '2026-01-31T12:00:00.014Z',
        entries: {
          attributes: [{ result: 'created' }],
          events: [{ result: 'updated' }, { result: 'ignored', reason: 'no_such_user' }],
        },
      },
    }),
    example('An unknown request', {
      params: { id: 'rmigxmm5blc-000000' },
      ...refusedAs('REQUEST_NOT_FOUND'),
    }),
  ],
});
