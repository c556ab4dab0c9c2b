/** What providers of text messages tell at their signed address: reports of messages, and answers of people. */
import { randomUUID } from 'node:crypto';
import {
  appCredentials,
  type CallCheck,
  checkCall,
  type PhoneAnswer,
  type PhoneCall,
  type PhoneReport,
  type PhoneUrls,
  phoneAnswersIn,
  phonePath,
  reportsIn,
} from '@roster/channels';
import { bodyShapeFault, normalizePhone, present, scan } from '@roster/contract';
import { type MinuteLimit, mostToldAtOnce } from '../pages/bounds.ts';
import { mostFormBytes } from '../pages/form.ts';
import type { Answer, PageRequest } from '../pages/pages.ts';
import { type PageReply, plainText } from '../pages/reply.ts';
import type { HandOptions } from '../sending/hand.ts';
import type { WriteReports } from '../sending/write-report.ts';
import type { createHelp } from './help.ts';
import type { PhoneOf } from './phone-of.ts';
import { optOutOf, type Say } from './statement.ts';
import { meaningOf } from './words.ts';

/** All addresses under it, as Express writes it. */
export const phoneRoute = `${phonePath}{*call}`;

type ReadCall = NonNullable<ReturnType<PhoneUrls['read']>>;

export interface PhoneOptions extends Pick<HandOptions, 'settingsOf' | 'readCredential'> {
  urls: PhoneUrls;
  writeReports: WriteReports;
  say: Say;
  phoneOf: PhoneOf;
  onCall(call: PhoneCall, check: CallCheck): void;
  answerHelp: ReturnType<typeof createHelp>;
  /** Of those who have no address of ours. */
  byNetwork: MinuteLimit;
}

type Settings = Awaited<ReturnType<PhoneOptions['settingsOf']>>;

const done = plainText(200, '');
const comeAgain = plainText(503, 'come again\n', { 'retry-after': '60' });
const unsignedCall = plainText(403, 'the signature is not that of the provider\n');
const ended = plainText(410, 'this address has ended: there is another one\n');
const tooMuch = plainText(413, 'that is too much at once\n');

/** Of a small one nothing is too much. */
const isTooMuchToParse = (body: string): boolean =>
  body.length > mostFormBytes && bodyShapeFault(scan(Buffer.from(body))) !== undefined;

/** As providers write it: `whatsapp:+15550101`, or the whole number without its `+`. */
export const phoneIn = (from: string): string | undefined => {
  const number = from.replace(/^[a-z]+:/, '').trim();
  return normalizePhone(number.startsWith('+') ? number : `+${number}`) ?? normalizePhone(number);
};

/** WhatsApp asks once whether it may use an address: whoever repeats its word agrees. That the address is signed is enough. */
export const challengeIn = (query: string): string | undefined => {
  const fields = new URLSearchParams(query);
  const word = fields.get('hub.challenge') ?? '';
  return fields.get('hub.mode') === 'subscribe' && /^[\w-]{1,200}$/.test(word) ? word : undefined;
};

/** Addresses for answers can be made anew. Those of one message end with its row. */
const hasEnded = ({ app, channel, message, made = 0 }: ReadCall, { apps }: Settings): boolean => {
  const { addresses_since: since } = apps.find(({ id }) => id === app)?.channels?.[channel] ?? {};
  return message === undefined && since !== undefined && made < Date.parse(since);
};

const addressIn = ({ base }: ReadCall, { path, query }: PageRequest): string | undefined =>
  base === undefined ? base : `${base}${path}${query === '' ? '' : `?${query}`}`;

export const createPhoneCalls = (options: PhoneOptions): Answer => {
  const { urls, settingsOf, readCredential, writeReports, say, phoneOf, onCall, answerHelp, byNetwork } =
    options;

  const answered = async (
    { ws, channel }: PhoneCall,
    provider: string,
    { from, text, id, help }: PhoneAnswer,
  ): Promise<PageReply> => {
    const [meaning, phone] = [meaningOf(text), phoneIn(from)];
    if (meaning === undefined || phone === undefined) return done;
    if (meaning !== 'help')
      return (await say({ ws, phone, meaning, ...present({ id }) })) === 'away' ? comeAgain : done;
    if (help !== undefined && channel === 'sms')
      await answerHelp({ ws, phone, provider, text: help, id: id ?? randomUUID() });
    return done;
  };

  /** A report without a number is about a message, and so about the phone that it was sent to. */
  const optOutsIn = async ({ ws, message: own }: ReadCall, all: readonly PhoneReport[]) => {
    const found: ReturnType<typeof optOutOf>[] = [];
    for (const { message = own, optedOut } of all) {
      if (optedOut === undefined) continue;
      const phone = phoneIn(optedOut) ?? (await phoneOf(ws, message));
      if (phone !== undefined) found.push(optOutOf(ws, phone, message));
    }
    return found;
  };

  const take = async (call: ReadCall, request: PageRequest): Promise<PageReply> => {
    const { contentType, body, header } = request;
    const settings = await settingsOf(call.ws);
    if (hasEnded(call, settings)) return ended;
    const credentials = await appCredentials(call.channel, settings, call.app, readCredential);
    if (!credentials) return plainText(404, 'the app has no provider\n');
    const { provider } = credentials;
    const told = { contentType, body };
    const check = checkCall(provider, { ...told, header, url: addressIn(call, request), now: Date.now() });
    onCall(call, check);
    if (check === 'wrong') return unsignedCall;
    if (isTooMuchToParse(body)) return tooMuch;
    const all = reportsIn(provider, told);
    const reports = all.flatMap(({ message, optedOut: _, ...report }) => {
      const row = call.message ?? message;
      return row === undefined ? [] : [{ row, ...report }];
    });
    const answers = call.message === undefined ? phoneAnswersIn(provider, told) : [];
    if (reports.length + answers.length > mostToldAtOnce) return tooMuch;
    const optOuts = await optOutsIn(call, all);
    if (reports.length > 0) await writeReports(call.ws, reports);
    for (const optOut of optOuts) if ((await say(optOut)) === 'away') return comeAgain;
    for (const answer of answers) {
      const reply = await answered(call, provider, answer);
      if (reply !== done) return reply;
    }
    return done;
  };

  return async (request) => {
    const call = urls.read(request.path.slice(phonePath.length));
    if (!call)
      return byNetwork(request.network)
        ? plainText(404, 'there is nothing here\n')
        : plainText(429, 'too many requests\n');
    const challenge = request.method === 'GET' ? challengeIn(request.query) : undefined;
    if (challenge !== undefined) return plainText(200, challenge);
    if (request.method !== 'POST')
      return plainText(405, 'this address is for the provider of text messages\n');
    return take(call, request);
  };
};
