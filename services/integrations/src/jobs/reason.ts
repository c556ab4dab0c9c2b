/** Why a sync, or its log, failed: callers read it. The words of a driver may repeat a password or a URL; the log of the process has them, masked. */
import { SourceError } from '@roster/sources';

const longest = 1_000;

export const reasonOf = (error: unknown): string =>
  error instanceof SourceError
    ? error.message.slice(0, longest)
    : 'it failed inside Roster: see the log of the integrations process';
