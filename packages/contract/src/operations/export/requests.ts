import { type Static, Type } from '@sinclair/typebox';
import { operation } from '../../operation.ts';
import { outcomeMembers, requestState } from '../../outcome-report.ts';
import { plain, shape, text } from '../../shape.ts';
import { readRow } from '../read-row.ts';

const requestReport = shape(
  'RequestReport',
  Type.Object(
    {
      message: text('`success`.'),
      request_id: text('Id of the request.'),
      operation: Type.Optional(
        text('Id of the operation, such as `users.track`; not known while it is queued.'),
      ),
      state: requestState,
      accepted_at: text('When it was accepted, ISO 8601.'),
      applied_at: Type.Optional(text('When it was applied, ISO 8601.')),
      ...outcomeMembers,
      answer: Type.Optional(
        plain<object>({
          type: 'object',
          additionalProperties: true,
          description: 'The answer of a request about content: for a caller that got 202 first.',
        }),
      ),
    },
    { description: 'What became of the request.' },
  ),
);

export type RequestReport = Static<typeof requestReport>;

export const requestsRead = operation({
  ...readRow,
  id: 'requests.read',
  path: '/requests/{id}',
  permission: 'requests.read',
  tag: 'Requests',
  summary: 'What became of a request',
  description:
    'Every answer has a header `X-Request-Id`. With the id of an accepted request that changes something, this operation tells whether the request is queued, applied or failed, and what became of each entry. Nothing is kept of other requests. Kept for 30 days unless configured.',
  request: {
    params: Type.Object({
      id: text('The `X-Request-Id` of the request.', { minLength: 1, maxLength: 255 }),
    }),
  },
  responses: { 200: requestReport },
  rejections: ['REQUEST_NOT_FOUND'],
  examples: [
    {
      title: 'A request that was applied',
      request: { params: { id: 'rmigxmm5blc-4f0a9c' } },
      response: {
        status: 200,
        body: {
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
      },
    },
    {
      title: 'An unknown request',
      request: { params: { id: 'rmigxmm5blc-000000' } },
      response: { status: 404, body: { message: 'Request not found', code: 'REQUEST_NOT_FOUND' } },
    },
  ],
});
