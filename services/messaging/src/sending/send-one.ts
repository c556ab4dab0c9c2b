/** Hands a message over for one recipient, to each device that does not have it yet, and says what became of it. */
import type { Answer } from '@roster/channels';
import { present, type SendReason, stringifyExact } from '@roster/contract';
import type { Channel, SendDocument } from '@roster/store';
import type { Address } from './addresses.ts';
import { freeUntil, givenUp, mostTries, pauseAfter, pauseFor, short } from './retries.ts';
import type { Content } from './texts.ts';

export interface Outgoing {
  row: SendDocument;
  to: readonly Address[];
  content: Content;
  /** Whether its text is kept when it has no provider. */
  keepsText: boolean;
  /** Whether it is tried again when it may have been sent. */
  mayRepeat: boolean;
}

/** A push token that no device has any more, by its key in the profile; since that moment, if the provider says so. */
interface Gone {
  token: string;
  since?: number;
  isSure?(): boolean;
}

export interface Sent {
  row: SendDocument;
  state: 'sent' | 'refused' | 'unknown' | 'waiting';
  reason?: string;
  /** What the provider said, for operators alone. */
  words?: string;
  provider?: string;
  /** While it waits. */
  due?: Date;
  /** Names of the devices that have it, for another try. */
  devices?: string[];
  outbox?: string;
  /** It had no provider. */
  isKept?: true;
  /** It did not leave in time, or its provider wants a pause: this try does not count. */
  tries?: number;
  /** Its provider wants a pause, since then. */
  paused?: Date;
  gone?: Gone[];
}

/** There is no provider, so nothing leaves. `headers`: those that are not the sender's. */
interface Unsent {
  state: 'unsent';
  headers: Readonly<Record<string, string>>;
}

/** `undefined`, or unsent: it has no provider, so it is kept. Nothing leaves after `until` (`performance.now()`). */
export type Hand = (
  ws: string,
  channel: Channel,
  address: Address,
  message: { id: string; person: string; content: Content; until: number },
) => Promise<Answer | Unsent | undefined>;

const firstPauseMs = 5_000;
/** Who did not leave comes again so soon. */
const unbegunPauseMs = 250;
const mostOutboxBytes = 64 * 1024;
const longestShownToken = 500;

const shownTo = (to: readonly Address[]): object => {
  const [first] = to;
  if (first?.device) return { to: to.map((one) => one.to.slice(0, longestShownToken)) };
  return first?.to ? { to: first.to } : {};
};

const kept = (
  { row, to, content, keepsText }: Outgoing,
  added_headers: Unsent['headers'] | undefined,
): Omit<Sent, 'row'> => {
  // Apps read cards where they are kept: they have arrived.
  const isKept = row.channel !== 'content_card' && { isKept: true as const };
  if (!keepsText) return { state: 'sent', ...isKept };
  const outbox = stringifyExact({ ...shownTo(to), ...content, ...(added_headers && { added_headers }) });
  return Buffer.byteLength(outbox) > mostOutboxBytes
    ? { state: 'refused', reason: 'message_too_large' satisfies SendReason }
    : { state: 'sent', outbox, ...isKept };
};

/** Of several devices: one without an answer makes it unknown, one to be tried again makes it wait, and one that has it is enough. */
const byWeight = ['unknown', 'later', 'unbegun', 'paused', 'sent', 'refused'] as const;

const kindOf = (answer: Answer): (typeof byWeight)[number] => {
  if (answer.state !== 'later' || !answer.unbegun) return answer.state;
  return answer.afterMs === undefined ? 'unbegun' : 'paused';
};

type Outcome = Pick<Sent, 'state' | 'reason' | 'words' | 'provider' | 'due' | 'tries' | 'paused'>;

const unbegun = (tries: number, now: Date): Outcome => ({
  state: 'waiting',
  reason: 'busy' satisfies SendReason,
  due: new Date(now.getTime() + unbegunPauseMs),
  tries: tries - 1,
});

type Why = Pick<Sent, 'words'> & { reason: SendReason };

const whyIn = ({ reason, words }: Why): Why => ({ reason, ...present({ words }) });

const waitsAgain = (why: Why, tries: number, now: Date, afterMs?: number): Outcome => ({
  state: 'waiting',
  ...whyIn(why),
  due: new Date(now.getTime() + pauseAfter(tries, firstPauseMs, afterMs)),
});

const untilPauseEnds = (
  { afterMs = 0, ...why }: Answer & { state: 'later' },
  { tries, paused }: { tries: number; paused: Date },
  now: Date,
): Outcome => ({
  state: 'waiting',
  ...whyIn(why),
  due: new Date(now.getTime() + pauseFor(now.getTime() - paused.getTime(), afterMs)),
  tries: tries - 1,
  paused,
});

const triedAgain = (answer: Answer & { state: 'later' }, tries: number, now: Date): Outcome =>
  tries < mostTries
    ? waitsAgain(answer, tries, now, answer.afterMs)
    : { state: 'refused', ...whyIn(answer), reason: givenUp(tries, answer.reason) };

/** A pause that has taken too long is as any other answer of the provider. */
const withoutPause = (answer: Answer): Answer => {
  if (kindOf(answer) !== 'paused') return answer;
  const { unbegun: _unbegun, ...tried } = answer as Answer & { state: 'later' };
  return tried;
};

const outcomeOf = (
  all: readonly Answer[],
  { row, content, mayRepeat }: Pick<Outgoing, 'row' | 'content' | 'mayRepeat'>,
  now: Date,
): Outcome => {
  const { tries, paused = now } = row;
  const isFree = now.getTime() < freeUntil(paused.getTime(), content);
  const answers = isFree ? all : all.map(withoutPause);
  const goesOn = answers.some((one) => one.state === 'sent' || kindOf(one) === 'paused');
  const counting = tries >= mostTries && goesOn ? answers.filter((one) => kindOf(one) !== 'later') : answers;
  const [answer] = byWeight.flatMap((kind) => counting.filter((one) => kindOf(one) === kind));
  if (!answer) return { state: 'sent' };
  switch (answer.state) {
    case 'sent':
      return { state: 'sent', ...(answer.id !== undefined && { provider: short(answer.id) }) };
    case 'later':
      if (kindOf(answer) === 'paused') return untilPauseEnds(answer, { tries, paused }, now);
      return answer.unbegun ? unbegun(tries, now) : triedAgain(answer, tries, now);
    case 'unknown':
      return mayRepeat && tries < mostTries
        ? waitsAgain(answer, tries, now)
        : { state: 'unknown', ...whyIn(answer) };
    default:
      return { state: answer.state, ...whyIn(answer) };
  }
};

interface Told {
  address: Address;
  answer: Answer;
}

const reachedIn = (told: readonly Told[]): string[] =>
  told.flatMap(({ address: { device }, answer }) => (device && answer.state === 'sent' ? device.name : []));

const goneIn = (told: readonly Told[]): Gone[] =>
  told.flatMap(({ address: { device }, answer }) =>
    device && answer.state === 'refused' && answer.gone ? { token: device.token, ...answer.gone } : [],
  );

/** Names of devices are for another try, which leaves them out. */
const mayGoOn = ({ state }: Outcome): boolean => state === 'waiting' || state === 'unknown';

const resultOf = (
  outgoing: Outgoing,
  { told, unsent }: { told: readonly Told[]; unsent: Unsent | undefined },
  now: Date,
): Omit<Sent, 'row'> => {
  const { devices: before = [] } = outgoing.row;
  const answers = [...told.map(({ answer }) => answer), ...before.map((): Answer => ({ state: 'sent' }))];
  if (answers.length === 0) return kept(outgoing, unsent?.headers);
  const [reached, gone, outcome] = [reachedIn(told), goneIn(told), outcomeOf(answers, outgoing, now)];
  return {
    ...outcome,
    ...(reached.length > 0 && mayGoOn(outcome) && { devices: [...before, ...reached] }),
    ...(gone.length > 0 && { gone }),
  };
};

/** It can't leave in this turn any more: it is the next one's. */
export const notSent = ({ row }: Outgoing, now: Date): Sent => ({
  row,
  ...unbegun(row.tries, now),
});

/** Or has come to its provider, which wants a pause. */
export const hasLeft = ({ tries, paused }: Sent): boolean => tries === undefined || paused !== undefined;

export const sendOne = async (outgoing: Outgoing, hand: Hand, until: number): Promise<Sent> => {
  const { row, to, content } = outgoing;
  const has = new Set(row.devices);
  const left = to.filter(({ device }) => !device || !has.has(device.name));
  let unsent: Unsent | undefined;
  const told = await Promise.all(
    left.map(async (address): Promise<Told[]> => {
      const id = address.device ? `${row._id}/${address.device.name}` : row._id;
      const message = { id, person: row.profile, content, until };
      const answer = await hand(row.ws, row.channel, address, message).catch(
        ({ message: words }: Error): Answer => ({ state: 'unknown', reason: 'sender_failed', words }),
      );
      if (answer?.state === 'unsent') unsent = answer;
      return answer && answer.state !== 'unsent' ? [{ address, answer }] : [];
    }),
  );
  return { row, ...resultOf(outgoing, { told: told.flat(), unsent }, new Date()) };
};
