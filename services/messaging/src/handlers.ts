import type { OperationsOf } from '@roster/contract';
import { createCenter } from './centers/create.ts';
import { getCenter, listCenters, urlOfCenter } from './centers/reads.ts';
import { updateCenter } from './centers/update.ts';
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
  'preference_center.create': { change: createCenter },
  'preference_center.update': { change: updateCenter },
  'preference_center.update.post': { change: updateCenter },
  'preference_center.list': { read: listCenters },
  'preference_center.get': { read: getCenter },
  'preference_center.user.get': { read: urlOfCenter },
};
