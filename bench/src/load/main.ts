// The load generator: a process of its own, so that its CPU is nobody else's.
import { answerParent } from '../child.ts';
import { generate } from './generate.ts';
import type { LoadSpec } from './spec.ts';

answerParent<LoadSpec, unknown>(generate);
