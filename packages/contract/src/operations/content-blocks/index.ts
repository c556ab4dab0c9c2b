import { contentBlocksCreate } from './create.ts';
import { contentBlocksDelete } from './delete.ts';
import { contentBlocksInfo, contentBlocksList } from './reads.ts';
import { contentBlocksUpdate } from './update.ts';

export const contentBlockOperations = [
  contentBlocksCreate,
  contentBlocksUpdate,
  contentBlocksList,
  contentBlocksInfo,
  contentBlocksDelete,
] as const;
