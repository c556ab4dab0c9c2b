/** Sent messages: `roster sends list | show`. */
import type { Command } from 'commander';
import type { Act, Tools } from '../act.ts';
import { missing, type Result } from '../result.ts';
import { wholeNumber } from '../whole-number.ts';
import { list, type Options } from './sends-list.ts';
import { chosenWorkspace } from './workspace.ts';

const shownText = (name: string, value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.includes('\n') ? `${name}:\n${text}\n` : `${name}: ${text}\n`;
};

const show = async (tools: Tools, id: string, options: Options): Promise<Result> => {
  const ws = await chosenWorkspace(tools.servers, options);
  const row = await (await tools.servers.store()).messages.sends.findOne({ _id: id, ws });
  if (!row) throw missing(`nothing was sent as ${id}. "roster sends list --dispatch <id>" shows what was.`);
  const { outbox, ...rest } = row;
  const kept = outbox === undefined ? undefined : (JSON.parse(outbox) as Record<string, unknown>);
  const about = { id, person: rest.profile, state: rest.state, reason: rest.reason, provider: rest.provider };
  const lines = [...Object.entries(about), ...Object.entries(kept ?? {})].filter(
    ([, value]) => value !== undefined,
  );
  return {
    json: { ...rest, ...(kept && { kept }) },
    text: lines.map(([name, value]) => shownText(name, value)).join(''),
  };
};

const help = `
Without --dispatch the last deliveries are listed: each channel of a schedule whose time has come, with how many recipients are in each state.
With it the recipients are listed. A message without credentials does not leave: it is kept, and "roster sends show" shows it as it would
have been sent. Content cards are always kept: apps read them.

  waiting   it is not their time yet, or it is tried again
  sending   it is being sent
  sent      the provider took it, or it is kept
  refused   the provider refused it
  skipped   it was not sent: the person unsubscribed, has no email, ...
  unknown   the process that sent it ended before the answer: it may have been sent

Examples:
  $ roster sends list
  $ roster sends list --dispatch 4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2b --state skipped
  $ roster sends show 4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2b/email/0mlgx6m5blc000000000`;

export const addSendsCommands = (program: Command, act: Act): void => {
  const family = program
    .command('sends')
    .description('sends: what became of messages')
    .addHelpText('after', help);
  family
    .command('list')
    .description('the last deliveries, or the recipients of one dispatch')
    .option('--workspace <id>', 'the workspace that sent')
    .option('--dispatch <id>', 'the recipients of this dispatch')
    .option('--state <state>', 'only those in this state')
    .option('--most <number>', 'so many lines', wholeNumber(1, 1000), 20)
    .action(act(list));
  family
    .command('show <id>')
    .description('one recipient, with the message if it is kept')
    .option('--workspace <id>', 'the workspace that sent')
    .action(act(show));
};
