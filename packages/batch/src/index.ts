export { inOrder } from './in-order.ts';
