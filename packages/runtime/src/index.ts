export { callerOf, type Trusts, trustsOf } from './caller.ts';
export { ConfigError, loadConfig } from './config.ts';
export { environment } from './environment.ts';
export { listen } from './listen.ts';
export { createLog, type Log } from './log.ts';
export { maskText } from './log-error.ts';
export {
  createMetrics,
  type Metrics,
  type Reading,
} from './metrics.ts';
export { householdOf, networkOf } from './network.ts';
export { escapeHtml, operatorPage, operatorPolicy, pageStyle, styleHash } from './own-page.ts';
export { readyWhen } from './readiness.ts';
export { type Context, type Running, run, type Start } from './run.ts';
export type {
  CountedEvent,
  SecurityEvent,
} from './security-events.ts';
export { createSecurityLog } from './security-log.ts';
export { countResults, measureAnswers, measureFence, measureLoaded, measureTurns } from './turn-metrics.ts';
export {
  type Config,
  secretSchema,
  serviceConfigs,
} from './variables.ts';
