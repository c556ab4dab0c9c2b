import { preferenceCenterCreate, preferenceCenterUpdate, preferenceCenterUpdateByPost } from './changes.ts';
import { preferenceCenterGet, preferenceCenterList, preferenceCenterUrl } from './reads.ts';

export const preferenceCenterOperations = [
  preferenceCenterCreate,
  preferenceCenterList,
  preferenceCenterUpdate,
  preferenceCenterUpdateByPost,
  preferenceCenterGet,
  preferenceCenterUrl,
] as const;
