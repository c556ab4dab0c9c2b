export type { Fault } from './fault.ts';
export { type Liquid, openLiquid } from './open-liquid.ts';
