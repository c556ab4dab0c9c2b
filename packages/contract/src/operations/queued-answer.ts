import { objectShape, oneOf, text } from '../shape.ts';

export const queuedAnswer = objectShape(
  'QueuedAnswer',
  'Accepted and on disk, but not applied in time. It will be.',
  {
    message: text('`success`.'),
    request_id: text('Id of the request: `GET /requests/{id}` tells what became of it.'),
    state: oneOf(['queued'], 'Not applied yet.'),
  },
);
