export { type Applied, type Apply, createApply, type IdentityApplyOptions } from './apply.ts';
export { identityRequest } from './operations.ts';
export { startIdentity } from './start.ts';
export { createSweeper, type Sweeper } from './sweeper.ts';
export { withoutFence, withoutSweeps, withoutTransaction } from './without-protection.ts';
