import type { DeadLetter } from '@roster/queue';
import { maskText } from '@roster/runtime';
import type { Command } from 'commander';
import type { Act, Tools } from '../act.ts';
import { missing, type Result } from '../result.ts';
import { table } from '../shown.ts';
import { wholeNumber } from '../whole-number.ts';
import { type Which, withEach } from './each-letter.ts';

/** A dead letter without the people in its request. */
const outside = ({ id, queue, code, reason, at, request }: DeadLetter) => ({
  id,
  at,
  workspace: request.ws,
  op: request.op,
  queue,
  code,
  reason: maskText(reason),
});

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

const listDead = async ({ servers }: Tools, { limit }: { limit: number }): Promise<Result> => {
  const dead = await servers.deadLetters();
  const [total, letters] = [await dead.count(), (await dead.list({ limit })).map(outside)];
  const rows = letters.map(({ id, at, workspace, op, code, reason }) => [
    id,
    at,
    workspace,
    op,
    code,
    shortened(reason),
  ]);
  const text =
    total === 0 ? 'no dead letters\n' : table(['ID', 'AT', 'WORKSPACE', 'OPERATION', 'CODE', 'REASON'], rows);
  const notes = total > letters.length ? [`${letters.length} of ${total} shown; --limit shows more.`] : [];
  return { json: { total, dead: letters }, text, notes };
};

const none = (id: string) => missing(`there is no dead letter ${id}. "roster dead list" shows them.`);

const showDead = async ({ servers }: Tools, id: string): Promise<Result> => {
  const letter = await (await servers.deadLetters()).get(id);
  if (!letter) throw none(id);
  return { json: letter, text: `${JSON.stringify(letter, null, 2)}\n` };
};

const help = `
A dead letter is an accepted request that could not be applied, whatever was tried. Its outcome says "failed".
Put right what the reason names, then retry: the request is applied with its old place in the order, and only once.

Examples:
  $ roster dead list
  $ roster dead show r1k2j3h4g5-a1b2c3     (personal data is shown)
  $ roster dead retry --all
  $ roster dead drop r1k2j3h4g5-a1b2c3`;

export const addDeadCommands = (program: Command, act: Act): void => {
  const dead = program.command('dead').description('dead letters: requests that could not be applied');
  dead.addHelpText('after', help);
  dead
    .command('list')
    .description('the dead letters, without personal data')
    .option('--limit <count>', 'how many at most', wholeNumber(1, 10_000), 50)
    .action(act(listDead));
  dead
    .command('show')
    .description('one dead letter with its whole request, personal data included')
    .argument('<id>', 'the id of the request')
    .action(act(showDead));
  dead
    .command('retry')
    .description('queue requests again')
    .argument('[ids...]', 'the ids of the requests')
    .option('--all', 'all of them')
    .action(act((tools, ids: string[], which: Which) => withEach(tools, ids, which, 'retry')));
  dead
    .command('drop')
    .description('forget requests for good; their outcome stays "failed"')
    .argument('[ids...]', 'the ids of the requests')
    .option('--all', 'all of them')
    .action(act((tools, ids: string[], which: Which) => withEach(tools, ids, which, 'drop')));
};
