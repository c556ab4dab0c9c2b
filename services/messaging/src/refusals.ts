/** The ways in which a worker refuses, each in one word. */
import { Rejection, type RejectionCode } from '@roster/contract';

const refusal = (code: RejectionCode) => (): Rejection => new Rejection(code);

export const nameTaken = refusal('CONTENT_BLOCK_NAME_TAKEN');
export const blocksFull = refusal('CONTENT_BLOCKS_FULL');
