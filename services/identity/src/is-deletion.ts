import { type AcceptedRequest, operationById } from '@roster/contract';

/** Whether it deletes people, which is recorded. */
export const isDeletion = ({ op }: AcceptedRequest): boolean =>
  operationById(op)?.recorded === 'people.deleted';
