import type { AuditRow } from '@roster/store';
import { type Command, type Tools, wholeNumber } from '../command.ts';
import { exitCodes, type Result } from '../result.ts';
import { table, timeOfStamp } from '../shown.ts';

const detailsOf = ({ fields = [], set }: AuditRow): string =>
  [fields.join(' '), set && Object.keys(set).length > 0 ? JSON.stringify(set) : ''].filter(Boolean).join(' ');

interface AuditOptions {
  verify?: boolean;
  limit: number;
  target?: string;
}

const listAudit = async ({ servers }: Tools, { limit, target }: AuditOptions): Promise<Result> => {
  const { audit } = await servers.store();
  const rows = await audit.list({ limit, ...(target !== undefined && { target }) });
  return {
    json: rows.map((row) => ({ ...row, at: timeOfStamp(row.at) })),
    text: table(rows, {
      NO: (row) => row.number,
      WHEN: ({ at }) => timeOfStamp(at),
      WHO: ({ by }) => by,
      WHAT: ({ what }) => what,
      WHOM: (row) => row.target,
      DETAILS: detailsOf,
    }),
  };
};

/** Changed, removed and inserted rows break the chain. Rows cut off at the end do not: keep the head in another place. */
const verifyAudit = async ({ servers }: Tools): Promise<Result> => {
  const verdict = await (await servers.store()).audit.verify();
  const { rows, head, broken } = verdict;
  return {
    json: { whole: !broken, ...verdict },
    text: broken
      ? `broken at row ${broken.number}: ${broken.reason}. The ${rows} rows before it are whole.\n`
      : `whole: ${rows} rows, the last hash is ${head}\n`,
    exitCode: broken ? exitCodes.different : exitCodes.done,
  };
};

const help = `
Every change of a dashboard user, a company, a workspace, a key or a SCIM token is a row, written together with the change; so is every
deletion of people, and what was done to an integration (made, changed, paused, resumed, deleted, synced by hand). Exports, sign-ins and refusals are counted by key and minute; retried and dropped dead letters by command. Each row carries the hash of the
row before it. --verify reads them all; its exit code is 4 when the chain is broken. Note the last hash somewhere else
from time to time: rows that are cut off at the end leave no other trace.`;

export const auditCommand: Command = {
  about: 'who has changed, deleted, read and tried what and when',
  example: 'roster audit --verify',
  flags: {
    '--verify': 'check that no row was changed or removed',
    '--limit <number>': wholeNumber('the latest so many', [1, Number.MAX_SAFE_INTEGER], 100),
    '--target <id>': 'only about this user, company or token',
  },
  help,
  run: (tools, options: AuditOptions) => (options.verify ? verifyAudit(tools) : listAudit(tools, options)),
};
