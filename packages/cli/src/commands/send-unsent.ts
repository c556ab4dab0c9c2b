import { rmSync } from 'node:fs';
import { AccessError, RateLimitError, Roster, RosterError } from '@roster/client';
import type { Command, Tools } from '../command.ts';
import { type UnsentRequest, unsentIn } from '../compare/unsent.ts';
import { type TargetOptions, targetFlags, targetOf } from '../import/target.ts';
import { readAs } from '../io.ts';
import { type Watched, watched } from '../person.ts';
import { failed, messageOf, type Result } from '../result.ts';
import { saveText } from '../saved-state.ts';
import { linesOf } from '../shown.ts';

const help = `
Sends the writes that "roster compare" could not send, one after the other in their order, each with the idempotency key that it had: sent
within a day, a request that Roster has already counts once. Refused requests are listed and not sent again. When Roster is away, or the
key lacks a permission, or after Ctrl-C, the file keeps the rest. It is removed when all of it is sent.`;

/** A refusal of this request by Roster, which the next attempt would get too; a firewall's says nothing about the next ones. */
const isRefusal = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof RosterError &&
    error.code !== undefined &&
    error.status < 500 &&
    !(error instanceof AccessError || error instanceof RateLimitError));

const sendAll = async (requests: readonly UnsentRequest[], roster: Roster, { stop }: Watched) => {
  const refused: string[] = [];
  for (const [index, request] of requests.entries()) {
    const { operation, params, query, idempotency_key, json } = request;
    const options = { signal: stop.signal, idempotencyKey: idempotency_key };
    try {
      await roster.call(operation, { params, query, ...(json !== '' && { json }) }, options);
    } catch (error) {
      if (!isRefusal(error)) return { sent: index, refused, error };
      refused.push(`${operation}: ${messageOf(error)}`);
    }
  }
  return { sent: requests.length, refused };
};

const send = async ({ io }: Tools, file: string, options: TargetOptions): Promise<Result> => {
  const requests = readAs(io, file, unsentIn);
  const roster = new Roster(targetOf(io, options));
  const { sent, refused, error } = await watched(io, (work) => sendAll(requests, roster, work));
  if (error !== undefined) {
    const rest = requests.slice(sent);
    saveText(file, linesOf(rest.map((request) => JSON.stringify(request))));
    throw failed(`${sent} sent; ${file} keeps the other ${rest.length}: ${messageOf(error)}`);
  }
  rmSync(file, { force: true });
  return {
    json: { sent, refused },
    text: linesOf([
      `${sent - refused.length} sent, ${refused.length} refused`,
      ...refused.map((line) => `  ${line}`),
    ]),
  };
};

export const sendUnsentCommand: Command = {
  about: 'send the writes that roster compare could not send',
  example: 'roster send-unsent compare.unsent.ndjson',
  args: { '<file>': 'the file that roster compare has written' },
  flags: {
    ...targetFlags,
  },
  help,
  run: send,
};
