/** Failed attempts, a line for each: without address, key or body. */
import { RosterError } from './errors.ts';

/** Gets a line for each attempt that failed. */
export type LogLine = (line: string) => void;

interface FailedAttempt {
  operation: string;
  number: number;
  error: unknown;
  /** Until the next one; nothing when it was the last. */
  ms: number | undefined;
}

export type Log = (failed: FailedAttempt) => void;

/** `ROSTER_DEBUG` of the environment. Deno would ask its user for leave to read it. */
const isDebugging = (): boolean => {
  if ('Deno' in globalThis) return false;
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = process?.env?.ROSTER_DEBUG ?? '';
  return value !== '' && value !== '0';
};

const wordsOf = (error: unknown): string => {
  if (error instanceof RosterError) {
    const { status, code, message } = error;
    return [...(status > 0 ? [status] : []), ...(code ? [code] : []), message].join(' ');
  }
  return error instanceof Error ? error.name : 'stopped';
};

export const createLog = (write: LogLine | undefined): Log => {
  const line = write ?? (isDebugging() ? (text: string) => console.error(text) : undefined);
  if (!line) return () => {};
  return ({ operation, number, error, ms }) => {
    // A line stays a line, whatever a proxy says.
    const words = wordsOf(error).replace(/\s+/g, ' ').slice(0, 300);
    const then = ms === undefined ? 'the call fails' : `next attempt in ${(ms / 1000).toFixed(1)} s`;
    line(`roster: ${operation}, attempt ${number} failed: ${words}; ${then}`);
  };
};
