import type { Command } from 'commander';
import type { Act, Tools } from '../act.ts';
import { missing, type Result } from '../result.ts';
import { queuedReport, storedReport } from './request-report.ts';
import { hints, inWords } from './request-words.ts';

const showRequest = async ({ servers, io }: Tools, id: string): Promise<Result> => {
  const report = (await storedReport(servers, id)) ?? (await queuedReport(servers, io, id));
  if (!report)
    throw missing(
      `nothing is known of a request ${id}: it was not accepted here, waits in a queue, or its outcome has expired.`,
    );
  return { json: report, text: inWords(report), notes: hints[report.state] };
};

const help = `
The id is the X-Request-Id of an answer. Results are shown entry by entry with --json, counted without it.

Examples:
  $ roster request show r1k2j3h4g5-a1b2c3d4
  $ roster request show r1k2j3h4g5-a1b2c3d4 --json`;

export const addRequestCommands = (program: Command, act: Act): void => {
  program
    .command('request')
    .description('accepted requests and their outcomes')
    .command('show')
    .description('what became of a request')
    .argument('<id>', 'the id of the request (X-Request-Id)')
    .addHelpText('after', help)
    .action(act(showRequest));
};
