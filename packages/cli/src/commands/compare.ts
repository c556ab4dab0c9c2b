import { once } from 'node:events';
import { type Command, list, needed, type Tools, wholeNumber } from '../command.ts';
import { createComparison, inWords } from '../compare/comparison.ts';
import { createMirror } from '../compare/mirror.ts';
import { openProxy } from '../compare/proxy.ts';
import { createUnsent } from '../compare/unsent.ts';
import { type TargetOptions, targetFlags, targetOf } from '../import/target.ts';
import { watched } from '../person.ts';
import { type Result, wrong } from '../result.ts';
import { quoted } from '../shown.ts';

interface CompareOptions extends TargetOptions {
  from: string;
  port: number;
  ignore: string[];
  unsent: string;
}

const help = `
Callers keep the key of the service that they use, and get the address of this proxy. That service answers them; the same request goes to
Roster too, with the key of Roster, and the two answers are compared: status, body, and the headers that clients rely on. Ctrl-C ends it
with the report and exit code 0: how often the answers were the same, which members differed, and examples with request id and time. No
value is shown.

No differences are: null and a missing member (of a person also false, 0 and what is empty), the order of members and of lists
without an order, other spellings of a number, a moment, a country, a language or a time zone, the id of an app for its name, a consent
that nobody has stated and "subscribed", and members that only Roster has, except errors and fields of a person. Ids and times that each
service makes for itself are left out, and named once.

Requests go to Roster one after the other, in the order of the answers of the other service. What that service refuses for its key or its
limits, or can't serve, does not go to Roster: the caller will send it again. A read is compared when Roster says that everything
accepted before is included (X-Roster-Fresh); it is asked for up to 5 times. At most 1,000 requests wait, and 64 MB of bodies are kept;
more are not compared, and counted. After Ctrl-C what waits for Roster has ten seconds, and is not tried again.

Writes that Roster did not get are written to a file; "roster send-unsent <file>" sends them. Reads after such a write are not compared.

Examples:
  $ roster compare --from https://rest.hosted.example --url http://127.0.0.1:8080
  $ roster compare --from https://rest.hosted.example --ignore created_at --json > report.json`;

/** Without a user, a password or a query: the address is shown. */
const addressOf = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search)
    throw wrong('--from is no address like https://rest.hosted.example');
  return (url.origin + url.pathname).replace(/\/+$/, '');
};

const compare = async ({ io }: Tools, options: CompareOptions): Promise<Result> => {
  const from = addressOf(options.from);
  const target = targetOf(io, options);
  const comparison = createComparison();
  const unsent = createUnsent(options.unsent);
  const mirror = createMirror(target, { unsent: unsent.keep });
  await watched(io, async ({ stop: { signal } }) => {
    const proxy = await openProxy(options.port, {
      from,
      mirror,
      comparison,
      ignored: new Set(options.ignore),
      unsent,
    });
    const here = `http://127.0.0.1:${proxy.port}`;
    io.err(
      `${here} goes on to ${from}, and is compared with ${new URL(target.url).origin}. Ctrl-C ends it.\n`,
    );
    if (!signal.aborted) await once(signal, 'abort');
    await proxy.end();
  });
  const { kept, lost } = unsent.tally();
  const report = {
    ...comparison.report(),
    ...(kept > 0 && { unsent: { file: unsent.path, requests: kept } }),
  };
  return {
    json: lost > 0 ? { ...report, lost } : report,
    text: inWords(report),
    notes: [
      kept > 0 && `${kept} writes did not reach Roster. Send them: roster send-unsent ${quoted(unsent.path)}`,
      lost > 0 &&
        `${lost} writes did not reach Roster and could not be kept. Export the people again, and import them.`,
    ],
  };
};

export const compareCommand: Command = {
  about: 'a proxy that sends each request to another service and to Roster, and compares the answers',
  example: 'roster compare --from https://rest.hosted.example',
  flags: {
    '--from <address>': needed('the service that answers the callers'),
    ...targetFlags,
    '--port <port>': wholeNumber('where callers come in; 0: any free port', [0, 65_535], 8099),
    '--unsent <file>': {
      about: 'where writes go that Roster did not get',
      usual: 'compare.unsent.ndjson',
    },
    '--ignore <member>': list('a name of members that are not compared; repeat it for more'),
  },
  help,
  run: compare,
};
