export { LiquidFault, type Rendered, type TemplateFault } from './fault.ts';
export { emailField, groupField } from './form-field-name.ts';
export { openLiquid, type Templates } from './open-liquid.ts';
