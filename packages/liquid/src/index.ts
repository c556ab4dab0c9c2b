export { type Fault, LiquidFault, type Rendered } from './fault.ts';
export { emailField, groupField } from './form-field-name.ts';
export { openLiquid, type Templates } from './open-liquid.ts';
