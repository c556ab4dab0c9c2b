import { Type } from '@sinclair/typebox';
import { plain, shape, text } from '../shape.ts';

export const queuedAnswer = shape(
  'QueuedAnswer',
  Type.Object(
    {
      message: text('`success`.'),
      request_id: text('Id of the request: `GET /requests/{id}` tells what became of it.'),
      state: plain<'queued'>({ type: 'string', enum: ['queued'], description: 'Not applied yet.' }),
    },
    { description: 'Accepted and on disk, but not applied in time. It will be.' },
  ),
);
