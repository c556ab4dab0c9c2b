/** Content of messages and pages. */
import { contentBlocksCreate } from './content-create.ts';

export const messagingOperations = [contentBlocksCreate] as const;
