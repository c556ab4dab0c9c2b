/** Content of messages and pages. */
import { contentBlocksCreate } from './content-create.ts';
import { contentBlocksDelete } from './content-delete.ts';
import { contentBlocksInfo, contentBlocksList } from './content-reads.ts';
import { contentBlocksUpdate } from './content-update.ts';

export const messagingOperations = [
  contentBlocksCreate,
  contentBlocksUpdate,
  contentBlocksList,
  contentBlocksInfo,
  contentBlocksDelete,
] as const;
