import { createErasures } from '@roster/queue';
import type { Command } from 'commander';
import type { Act, Tools } from '../act.ts';
import { lineOf } from '../erasures/lines.ts';
import { type ReplayOptions, replay } from '../erasures/replay.ts';
import type { Result } from '../result.ts';
import { wholeNumber } from '../whole-number.ts';

const list = async ({ servers, io }: Tools): Promise<Result> => {
  const erasures = createErasures(await servers.redis());
  const since = await erasures.since();
  let count = 0;
  for await (const one of erasures.all()) {
    io.out(lineOf(one));
    count++;
  }
  return { json: undefined, text: '', notes: [`${count} lines, every erasure since ${since.toISOString()}`] };
};

const help = `
Redis keeps every applied deletion for 35 days, by service id, without a name of a person. A backup of MongoDB that is restored brings back people
who were deleted after it; "replay" deletes them again. Start an identity service first, and the others afterwards: docs/runbook.md, "MongoDB is lost".
"list" writes the log, to be saved beside each backup in case that Redis is lost too.

Examples:
  $ roster erasures list > erasures-$(date +%F).ndjson
  $ roster erasures replay
  $ roster erasures replay erasures-2026-11-24.ndjson erasures-2026-11-25.ndjson`;

export const addErasureCommands = (program: Command, act: Act): void => {
  const erasures = program.command('erasures').description('deletions, kept apart from MongoDB');
  erasures.addHelpText('after', help);
  erasures
    .command('list')
    .description('every kept deletion, a line of JSON each')
    .action(act((tools) => list(tools)));
  erasures
    .command('replay')
    .description('after a restore of MongoDB: delete again whom the backup brought back')
    .argument('[files...]', 'saved by "roster erasures list"')
    .option('--wait <seconds>', 'how long to wait until all are applied', wholeNumber(0, 86_400), 600)
    .action(act((tools, files: string[], options: ReplayOptions) => replay(tools, files, options)));
};
