// The load generator: a process of its own, so that its CPU is measured by itself.
import { answerParent } from '../child.ts';
import { generate } from './generate.ts';
import type { LoadSpec } from './spec.ts';

answerParent<LoadSpec, unknown>(generate);
