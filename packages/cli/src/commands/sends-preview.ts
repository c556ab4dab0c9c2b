/** A message for one person, before anybody gets it: `roster sends preview | test`. */
import { aboutReason, parseExact, sentChannels } from '@roster/contract';
import { parse } from 'yaml';
import { type Commands, type Flags, needed, type Tools, type WorkspaceTools } from '../command.ts';
import { findPerson, type PersonOptions, personFlags } from '../found-person.ts';
import { isRecord, type JsonObject } from '../json.ts';
import type { Asked, Preview } from '../preview.ts';
import { render } from '../rendered.ts';
import { exitCodes, messageOf, type Result, wrong } from '../result.ts';
import { scheduleNamed } from '../schedule-named.ts';
import { sendFrom, whyIn } from '../send-from.ts';
import { withNumbers } from '../settings-file.ts';
import { linesOf, member, section } from '../shown.ts';
import { knownName } from '../suggest.ts';

interface Options extends PersonOptions {
  for?: string;
  channel?: string;
}

interface Message {
  channel: string;
  content: JsonObject;
}

interface Planned {
  messages: JsonObject;
  recipients?: JsonObject;
}

/** A body of /messages/send or /messages/schedule/create, or its `messages` alone; YAML or JSON. */
const inFile = ({ io }: Tools, file: string): Planned | undefined => {
  let read: unknown;
  try {
    read = withNumbers(parse(io.readText(file), { intAsBigInt: true }));
  } catch (error) {
    if (messageOf(error).startsWith('ENOENT')) return undefined;
    throw wrong(`cannot read ${file}: ${messageOf(error)}`);
  }
  if (!isRecord(read))
    throw wrong(`${file} must hold messages, such as email: { subject: Hi, body: <p>Hello</p> }`);
  const { recipient_subscription_state: state } = read;
  return {
    messages: isRecord(read.messages) ? read.messages : read,
    ...(state !== undefined && { recipients: { recipient_subscription_state: state } }),
  };
};

const plannedAs = async (tools: WorkspaceTools, what: string): Promise<Planned> => {
  const found = inFile(tools, what);
  if (found) return found;
  if (/[./]/.test(what)) throw wrong(`there is no file ${what}`);
  const { messages, recipients } = await scheduleNamed(tools.store, tools.ws, what);
  return {
    messages: parseExact(messages) as JsonObject,
    recipients: parseExact(recipients) as JsonObject,
  };
};

const messagesIn = ({ messages }: Planned, wanted: string | undefined): Message[] => {
  const all = Object.entries(messages).map(([channel, content]) => {
    knownName(sentChannels, channel, 'channel');
    if (!isRecord(content)) throw wrong(`${channel} must be a message with members`);
    return { channel, content };
  });
  const some = all.filter(({ channel }) => wanted === undefined || channel === wanted);
  const names = all.map(({ channel }) => channel);
  if (some.length === 0)
    throw wrong(`there is no message for ${wanted}; there is ${names.join(', ') || 'none'}`);
  return some;
};

/** Rendered for the person, with the words by which they were named. */
const renderedFor = async (tools: WorkspaceTools, what: string, { for: id, channel, ...names }: Options) => {
  const { ws, io } = tools;
  const person = await findPerson(tools.store, ws, id, names);
  const planned = await plannedAs(tools, what);
  const { recipients } = planned;
  const asked = messagesIn(planned, channel).map(
    (message): Asked => ({ ws, person: person._id, ...message, ...(recipients && { recipients }) }),
  );
  const previews = await (io.render ? io.render(asked) : render(io, asked));
  return { ws, person: person.external_id ?? person._id, previews };
};

/** The HTML of an email stands in `--json`; people read its text. */
const hidden: ReadonlySet<string> = new Set(['body', 'plaintext_body']);

const stateOf = ({ skipped, until, waits, fault }: Preview): string => {
  if (fault !== undefined) return `it can not be written: ${fault}`;
  if (skipped !== undefined) return `it would be skipped: ${skipped}`;
  if (until === undefined) return 'it would be sent';
  return `it would wait until ${until}${waits === 'quiet_hours' ? ', the end of quiet hours' : ''}`;
};

const inWords = (preview: Preview): string => {
  const { channel, to, content = {}, text, links, unknown } = preview;
  const members = Object.entries(content).filter(([name]) => text === undefined || !hidden.has(name));
  return linesOf([
    `${channel}: ${stateOf(preview)}`,
    to.length > 0 && to[0] !== '' && `to: ${to.join(', ')}`,
    ...members.map(([name, value]) => member(name, value)),
    text !== undefined && member('text', text),
    ...section('links:', links),
    unknown.length > 0 && `unknown, and written as nothing: ${unknown.join(', ')}`,
  ]);
};

/** Whether the message is as its writer means it. */
const codeOf = (previews: readonly Preview[]): number =>
  previews.some(({ fault, unknown }) => fault !== undefined || unknown.length > 0)
    ? exitCodes.failed
    : exitCodes.done;

const preview = async (tools: WorkspaceTools, what: string, options: Options): Promise<Result> => {
  const { previews, ...about } = await renderedFor(tools, what, options);
  return {
    json: { ...about, previews },
    text: previews.map(inWords).join('\n'),
    notes: ['Nothing was sent.'],
    exitCode: codeOf(previews),
  };
};

const testable = ['email', 'sms', 'whats_app'] as const;

type Testable = (typeof testable)[number];

const channelOf = (channel: string): Testable => {
  const found = testable.find((one) => one === channel);
  if (!found)
    throw wrong(
      `only ${testable.join(', ')} can be sent to another address; "roster channel test" tries ${channel}`,
    );
  return found;
};

const test = async (
  tools: WorkspaceTools,
  what: string,
  options: Options & { to: string },
): Promise<Result> => {
  const { person, previews } = await renderedFor(tools, what, options);
  const [one, ...more] = previews;
  if (!one || more.length > 0)
    throw wrong(
      `which message? Add --channel with one of ${previews.map(({ channel }) => channel).join(', ')}.`,
    );
  if (one.fault !== undefined) throw wrong(`the message can not be written for ${person}: ${one.fault}`);
  const { content = {} } = one;
  const channel = channelOf(one.channel);
  const answer = await sendFrom(tools.io, tools.settings, {
    channel,
    app: content.app_id,
    to: options.to,
    content,
    without: `the app ${content.app_id} has no credentials for ${channel}, so nothing can leave. Add apps[].channels.${channel} to the file of the workspace ("roster channel --help"), or look at it with "roster sends preview".`,
  });
  const isSent = answer.state === 'sent';
  return {
    json: { ...answer, to: options.to, preview: one },
    text: isSent ? `sent to ${options.to}\n` : `${answer.state}: ${whyIn(answer)}\n`,
    notes: [
      !isSent && aboutReason(answer.reason),
      `Its links belong to ${person}: who follows them changes what ${person} gets.`,
    ],
    exitCode: isSent ? exitCodes.done : exitCodes.failed,
  };
};

const help = `
The message comes from a file (YAML or JSON: a body of /messages/send or /messages/schedule/create, or its messages alone), from a schedule or a
dispatch. It is written with the data of the person, as it would be sent now. Consent and quiet hours are looked at; frequency caps are not.

Example, welcome.yaml:
  email:
    app_id: shop
    from: Shop <news@shop.example>
    subject: Hello {{\${first_name}}}
    body: <p>Welcome! <a href="{{unsubscribe_url}}">Unsubscribe</a></p>

  $ roster sends preview welcome.yaml --for ada
  $ roster sends preview 4f1f6a3e5b0c4d2e9a7b8c6d5e4f3a2b --for ada --json
  $ roster sends test welcome.yaml --for ada --to me@example.com

Exit codes: 1 also when a message can not be written, or names something unknown.`;

const both = {
  args: { '<message>': 'a file, or the id of a schedule or dispatch; - is standard input' },
  workspace: 'the workspace of the person',
  help,
};

const flags: Flags = {
  '--for <external id>': 'the person for whom it is written',
  ...personFlags,
  '--channel <channel>': 'only this one of its messages',
};

export const previewCommands: Commands = {
  preview: {
    about: 'a message as a person would get it; sends nothing',
    ...both,
    flags,
    run: preview,
  },
  test: {
    about: 'a message as a person would get it, sent to another address',
    ...both,
    flags: { ...flags, '--to <address>': needed('an email or a phone number: yours') },
    run: test,
  },
};
