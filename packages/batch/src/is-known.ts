import { type OperationId, operationById } from '@roster/contract';

/** Whether this version knows the operation: a newer ingress may accept others. */
export const isKnown = (op: OperationId): boolean => operationById(op) !== undefined;
