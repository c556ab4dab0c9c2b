import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Act, Tools } from '../act.ts';
import { createMirror, type Mirror } from '../compare/mirror.ts';
import { openProxy } from '../compare/proxy.ts';
import { createTally, inWords } from '../compare/tally.ts';
import { type TargetOptions, targetOf } from '../import/target.ts';
import { interruptible } from '../interrupt.ts';
import { type Result, wrong } from '../result.ts';
import { wholeNumber } from '../whole-number.ts';

interface CompareOptions extends TargetOptions {
  from: string;
  port: number;
  ignore: string[];
}

const help = `
Callers keep the key of the service that they use, and get the address of this proxy. That service answers them; the same request goes to
Roster too, and the two answers are compared. Ctrl-C ends it with the report and exit code 0: how often the answers were the same,
and which members differed. No value is shown. Members that only Roster has are no difference. What waits for Roster then gets ten
seconds, and is not tried again.

Requests go to Roster one after the other, in the order in which they came. At most 1,000 wait; more are not compared, and counted.

Examples:
  $ roster compare --from https://rest.hosted.example --url http://127.0.0.1:8080
  $ roster compare --from https://rest.hosted.example --ignore created_at --json > report.json`;

const addressOf = (text: string): string => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw wrong(`--from ${text} is no address like https://rest.hosted.example`);
  return text.replace(/\/+$/, '');
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** The callers who are being served get their answers; nobody is waited for longer than this. */
const endMs = 10_000;

const close = async (server: Server, mirror: Mirror): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await mirror.end();
  await Promise.race([closed, sleep(endMs, undefined, { ref: false })]);
  server.closeAllConnections();
};

const compare = async ({ io }: Tools, options: CompareOptions): Promise<Result> => {
  const from = addressOf(options.from);
  const target = targetOf(io, options);
  const mirror = createMirror(target);
  const tally = createTally();
  const ignored = new Set(options.ignore);
  const server = await openProxy(options.port, { from, mirror, tally, ignored });
  const { port } = server.address() as AddressInfo;
  io.err(
    `http://127.0.0.1:${port} goes on to ${from}, and is compared with ${target.url}. Ctrl-C ends it.\n`,
  );
  await interruptible(io, async ({ signal }) => aborted(signal));
  await close(server, mirror);
  const report = tally.report();
  return { json: report, text: inWords(report) };
};

export const addCompareCommand = (program: Command, act: Act): void => {
  program
    .command('compare')
    .description('a proxy that sends each request to another service and to Roster, and compares the answers')
    .requiredOption('--from <address>', 'the service that answers the callers')
    .option('--url <address>', 'Roster; else ROSTER_URL, else the local stack that runs')
    .option('--key <key>', 'an API key of Roster; better ROSTER_API_KEY, which no process list shows')
    .option('--port <port>', 'where callers come in; 0: any free port', wholeNumber(0, 65_535), 8099)
    .option(
      '--ignore <member>',
      'a name of members that are not compared; repeat it for more',
      (name: string, before: string[]) => [...before, name],
      [],
    )
    .addHelpText('after', help)
    .action(act(compare));
};
