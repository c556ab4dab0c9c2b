/** Content of messages and pages. */
import {
  preferenceCenterCreate,
  preferenceCenterUpdate,
  preferenceCenterUpdateByPost,
} from './center-changes.ts';
import { preferenceCenterGet, preferenceCenterList, preferenceCenterUrl } from './center-reads.ts';
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
  preferenceCenterCreate,
  preferenceCenterList,
  preferenceCenterUpdate,
  preferenceCenterUpdateByPost,
  preferenceCenterGet,
  preferenceCenterUrl,
] as const;
