import type { OperationsOf } from '@roster/contract';
import { createBlock } from './content/create.ts';
import type { Handler } from './handler.ts';

/** What this worker does with each operation of its queue. An operation without a line does not compile. */
export const handlers: { readonly [Id in OperationsOf<'messaging'>]: Handler } = {
  'content_blocks.create': { change: createBlock },
};
