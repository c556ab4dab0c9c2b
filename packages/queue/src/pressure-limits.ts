/** The limits past which the ingress refuses requests. */
import type { Gauge } from './gauge.ts';

export interface PressureLimits {
  memoryShare: number;
  /** 0: no limit beside the share of maxmemory. */
  memoryBytes: number;
  oldestMs: number;
}

/** As the variables of a service say them. */
export const pressureLimits = (config: {
  SHED_MEMORY_SHARE: number;
  SHED_MEMORY_BYTES: number;
  SHED_OLDEST_MINUTES: number;
}): PressureLimits => ({
  memoryShare: config.SHED_MEMORY_SHARE,
  memoryBytes: config.SHED_MEMORY_BYTES,
  oldestMs: config.SHED_OLDEST_MINUTES * 60_000,
});

/** A full Redis is a deadlock (workers can't take jobs either), so the ingress says no well before. */
export const refusalReason = (gauge: Gauge, limits: PressureLimits): string | undefined => {
  const { usedBytes, maxBytes, oldestMs } = gauge;
  if (maxBytes > 0 && usedBytes >= maxBytes * limits.memoryShare) return 'memory';
  if (limits.memoryBytes > 0 && usedBytes >= limits.memoryBytes) return 'memory';
  return oldestMs >= limits.oldestMs ? 'age' : undefined;
};
