export { type Fault, LiquidFault } from './fault.ts';
export { type Liquid, openLiquid, type Templates } from './open-liquid.ts';
