import type { RowsOf } from '@roster/store';
import type { Command } from 'commander';
import type { Act, Tools } from '../act.ts';
import { interruptible } from '../interrupt.ts';
import { terminalOf } from '../person.ts';
import { createProgress } from '../progress.ts';
import { failed, type Result } from '../result.ts';
import { number } from '../shown.ts';
import { wholeNumber } from '../whole-number.ts';

interface MigrateOptions {
  dryRun?: boolean;
  /** Percent. */
  share: number;
}

const sum = ({ events, purchases }: RowsOf): number => events + purchases;

const words = ({ events, purchases }: RowsOf): string =>
  `${number(events)} events and ${number(purchases)} purchases`;

/** The rest that leaves so many percent of the time for the work. */
const restAfter = (share: number) => (workedMs: number) => (workedMs * (100 - share)) / share;

const migrateRows = async ({ io, servers }: Tools, { dryRun, share }: MigrateOptions): Promise<Result> => {
  const { migration } = await servers.store();
  const waiting = await migration.waiting();
  if (dryRun) return { json: { waiting }, text: `${words(waiting)} wait for their migration\n` };
  return interruptible(io, async ({ signal }) => {
    const progress = createProgress(terminalOf(io));
    let done = 0;
    const onMoved = (_of: string, rows: number): void => {
      done += rows;
      progress.show(done / sum(waiting), (seconds) => [
        `${number(done)} rows`,
        `${number(done / seconds)} rows/s`,
      ]);
    };
    try {
      const migrated = await migration.run({ signal, restMs: restAfter(share), onMoved });
      return { json: { migrated }, text: `${words(migrated)} migrated; none is left\n` };
    } catch (error) {
      if (!signal.aborted) throw error;
      throw failed(`stopped after ${number(done)} rows. The same command continues.`);
    } finally {
      progress.end();
    }
  });
};

const help = `
Moves events and purchases that a version before stored in the collections "events" and "purchases" into generations ("events_0",
"purchases_0"). Services run meanwhile, and read both. A step is one transaction of at most 1,000 rows or 4 MB, so each row counts once. It can be
stopped, killed and repeated at any time: the same command continues. Begin when no process of the version before runs any more.

Retention removes rows only after their migration. The empty collections are dropped by the first start of a service an hour later.

Examples:
  $ roster migrate --dry-run
  $ roster migrate --share 20`;

export const addMigrateCommand = (program: Command, act: Act): void => {
  program
    .command('migrate')
    .description('bring stored events and purchases into the layout of this version')
    .option('--dry-run', 'say how many rows wait, and change nothing')
    .option('--share <percent>', 'how much of the time to work; the rest is rest', wholeNumber(1, 100), 50)
    .addHelpText('after', help)
    .action(act(migrateRows));
};
