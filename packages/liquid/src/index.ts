export { type Fault, LiquidFault } from './fault.ts';
export { type Liquid, openLiquid } from './open-liquid.ts';
