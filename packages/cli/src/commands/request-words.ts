/** The report about a request in words. */
import type { Report } from './request-report.ts';

/** `events: 49 updated, 1 ignored (no_such_user)` */
const entriesLine = ([array, entries]: [string, readonly { result: string; reason?: string }[]]): string => {
  const counts = new Map<string, number>();
  for (const { result, reason } of entries) {
    const label = reason === undefined ? result : `${result} (${reason})`;
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return `${array}: ${[...counts].map(([label, count]) => `${count} ${label}`).join(', ')}`;
};

export const inWords = (report: Report): string => {
  const { operation, state, applied_at, reason, entries = {}, notes = [] } = report;
  const lines = [
    `request ${report.request_id}: ${state}`,
    `workspace: ${report.workspace}`,
    operation && `operation: ${operation}`,
    `accepted: ${report.accepted_at}`,
    applied_at && `applied: ${applied_at}`,
    reason && `reason: ${reason}`,
    ...Object.entries(entries).map(entriesLine),
    ...notes.map(
      ({ input_array, index, field, reason: why }) =>
        `${input_array}[${index}]${field ? `.${field}` : ''}: ${why}`,
    ),
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
};

export const hints: Record<Report['state'], string[]> = {
  queued: ['It has no outcome yet. If it was accepted long ago, its outcome may have expired.'],
  applied: [],
  failed: ['"roster dead show" shows the request, "roster dead retry" tries it again.'],
};
