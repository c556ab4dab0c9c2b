import type { OperationsOf } from '@roster/contract';
import { createBlock } from './content/create.ts';
import { deleteBlock } from './content/delete.ts';
import { readBlock } from './content/info.ts';
import { listBlocks } from './content/list.ts';
import { updateBlock } from './content/update.ts';
import type { Handler } from './handler.ts';

/** What this worker does with each operation of its queue. An operation without a line does not compile. */
export const handlers: { readonly [Id in OperationsOf<'messaging'>]: Handler } = {
  'content_blocks.create': { change: createBlock },
  'content_blocks.update': { change: updateBlock },
  'content_blocks.list': { read: listBlocks },
  'content_blocks.info': { read: readBlock },
  'content_blocks.delete': { change: deleteBlock },
};
