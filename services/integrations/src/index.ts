export { startIntegrations } from './start.ts';
