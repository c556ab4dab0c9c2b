/**
 * Attributes by the semantic conventions of OpenTelemetry. Those of messaging are not stable yet: the library asks to copy their names instead
 * of importing them.
 */
export const messaging = {
  system: 'messaging.system',
  destination: 'messaging.destination.name',
  operation: 'messaging.operation.name',
  type: 'messaging.operation.type',
  id: 'messaging.message.id',
  count: 'messaging.batch.message_count',
} as const;

/** Our own. */
export const own = {
  operation: 'roster.operation',
  workspace: 'roster.workspace',
  request: 'roster.request',
  entries: 'roster.entries',
  conflicts: 'roster.conflicts',
} as const;

export const bullmq = 'bullmq';
