import type { Json } from '@roster/contract';
import type { Work } from '../work.ts';
import type { PatchOperation } from './operations.ts';

/** One operation of a PATCH at one place. */
export interface Change {
  op: PatchOperation['op'];
  value: Json | undefined;
  /** As it was sent, for sentences. */
  path: string;
  /** Counts the work of the change. */
  work: Work;
}
