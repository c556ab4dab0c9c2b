import type { Json } from '@roster/contract';
import type { ScimWork } from '../work.ts';
import type { PatchOperation } from './operations.ts';

/** One operation of a PATCH at one place. */
export interface PatchChange {
  op: PatchOperation['op'];
  value: Json | undefined;
  /** As it was sent, for sentences. */
  path: string;
  /** Counts what the change costs. */
  work: ScimWork;
}
