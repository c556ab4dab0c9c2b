/** What a request that succeeds is answered. */
import type { TProperties } from '@sinclair/typebox';
import { entryError } from '../rejections/error-shapes.ts';
import { listOf, maybe, objectShape, oneOf, text } from '../shape.ts';

const success = text('`success`.');

/** Says so, and what else there is to say. */
export const successAnswer = <Members extends TProperties>(
  name: string,
  description: string,
  members: Members,
) => objectShape(name, description, { ...members, message: success });

export const refusedEntries = maybe(
  listOf(entryError, 'Entries that were refused; everything else goes through.'),
);

export const queuedAnswer = successAnswer(
  'QueuedAnswer',
  'Accepted and on disk, but not applied in time. It will be.',
  {
    request_id: text('Id of the request: `GET /requests/{id}` tells what became of it.'),
    state: oneOf(['queued'], 'Not applied yet.'),
  },
);

/** The result of an operation that changes something, or that it is not applied yet. */
export const resultOrQueued = <Members extends TProperties>(
  name: string,
  description: string,
  members: Members,
) => ({ 201: successAnswer(name, description, members), 202: queuedAnswer });
