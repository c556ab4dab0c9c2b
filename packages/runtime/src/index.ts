export { type Admin, type AdminOptions, type Health, startAdmin, type Verdict } from './admin.ts';
export { ConfigError, loadConfig } from './config.ts';
export { envExample } from './env-example.ts';
export { type Environment, environment } from './environment.ts';
export { createLog, type Fields, type Log, type LogOptions, type ProcessLog } from './log.ts';
export { maskText } from './log-error.ts';
export {
  type Count,
  createMetrics,
  type Level,
  type Metric,
  type Metrics,
  type Reading,
  type Timing,
} from './metrics.ts';
export { ipv6Groups, networkOf } from './network.ts';
export { readyWhen } from './readiness.ts';
export { type Context, type Running, run, type Start } from './run.ts';
export {
  type CountedEvent,
  type SecurityEvent,
  type SecurityEventName,
  securityEvents,
} from './security-events.ts';
export { createSecurityLog, type SecurityLog, type SecurityLogOptions } from './security-log.ts';
export { countResults, measureFence, measureLoaded, measureTurns } from './turn-metrics.ts';
export {
  type Config,
  ingressConfig,
  mongoConfig,
  monitorConfig,
  type ProcessConfig,
  processConfig,
  redisConfig,
  type ServiceName,
  scimConfig,
  secretConfig,
  secretSchema,
  serviceConfigs,
  trackQueueConfig,
} from './variables.ts';
