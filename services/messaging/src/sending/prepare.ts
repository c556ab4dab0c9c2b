/** The first half of a turn: who is next in each delivery, and what becomes of each of them now. */
import type { WorkspaceSettings } from '@roster/access';
import { createLines, type Lines } from '@roster/batch';
import type { Templates } from '@roster/liquid';
import { type Channel, type DeliveryDocument, expiryOf, type SendDocument } from '@roster/store';
import { createMessageLinks, type PageUrls } from '../links/page-urls.ts';
import { mostCardDays } from '../schedules/check.ts';
import type { Address } from './addresses.ts';
import { type Cap, capsOf, createCapped } from './caps.ts';
import { asksConsent } from './consent.ts';
import type { Held } from './held-texts.ts';
import { type JudgedRecipient, judge, type Plan } from './judge.ts';
import { createFollowMerges } from './merges.ts';
import { createContentsOf } from './named.ts';
import { before, createNext, type Next, type NextOptions, upTo } from './next.ts';
import { createReadHours } from './optimal.ts';
import type { createReadPeople, Recipient } from './people.ts';
import { planOf } from './plan.ts';
import { type Written, writeFor } from './rendering.ts';
import { judgedRow, lostRow, newRow, writtenRow } from './rows.ts';
import type { Outgoing } from './send-one.ts';
import { liquidIn } from './texts.ts';
import { createUnreached } from './unreached.ts';
import { mayName } from './variables.ts';
import type { Again, Begun } from './write-begin.ts';

/** Of one delivery, for people who look at what would have been sent. */
const mostTextsKept = 1000;

export interface PrepareOptions extends NextOptions {
  readPeople: ReturnType<typeof createReadPeople>;
  liquidOf(ws: string): Templates;
  urls: Pick<PageUrls, 'page'>;
}

/** What a turn is about to do for one delivery. */
export interface Prepared extends Begun {
  outgoing: Outgoing[];
  /** How long its texts took to write. */
  writingMs: number;
  /** With the person as they are now; nothing when they may not get it any more, or not yet. */
  outgoingAgain(one: Outgoing, person: Recipient, now: Date): Outgoing | undefined;
}

/** When the people were read (`performance.now()`): so old is what is known of them. */
export interface PreparedTurn {
  all: Prepared[];
  readAt: number;
}

/** What is the same in one turn. */
interface Turn {
  now: Date;
  expires: Date;
  settings: WorkspaceSettings;
  people: ReadonlyMap<string, Recipient>;
  caps: readonly Cap[];
  capped: ReadonlySet<string>;
  held: Held;
  /** Texts of one delivery after the other: all of them together have a bound. */
  inTurn: Lines;
}

interface Candidate {
  person: Recipient;
  row: SendDocument;
}

interface Decided extends Candidate {
  judged: JudgedRecipient;
}

/** Its provider was asked before, or wanted a pause. */
const isRetry = ({ tries, paused }: Outgoing['row'], triesBefore: number): boolean =>
  tries > triesBefore || paused !== undefined;

const againBy =
  (plan: Plan): Prepared['outgoingAgain'] =>
  (one, person, now) => {
    const judged = judge(plan, person, { now, isCapped: false, isRetry: isRetry(one.row, 1) });
    return 'to' in judged ? { ...one, to: judged.to } : undefined;
  };

const isTo = (decided: Decided): decided is Decided & { judged: { to: readonly Address[] } } =>
  'to' in decided.judged;

const candidatesOf = ({ delivery, page, waiting }: Next, { people, ...turn }: Turn): Candidate[] =>
  [...page.ids.map((id) => newRow(delivery, id, turn)), ...waiting].flatMap((row) => {
    const person = people.get(row.profile);
    return person ? [{ person, row }] : [];
  });

/** Those of whom nothing is left: their rows go with them in a moment. */
const goneOf = ({ waiting }: Next, { people, now }: Turn): Again[] =>
  waiting
    .filter(({ profile }) => !people.has(profile))
    .map((row) => ({ before: row, row: judgedRow(row, { skipped: 'deleted' }, now) }));

const lostOf = ({ lost }: Next, { settings, now }: Turn): Again[] =>
  lost.map((row) => ({ before: row, row: lostRow(row, settings.messaging.resend_unknown, now) }));

const createTools = ({ store, readPeople, liquidOf, urls, ...options }: PrepareOptions) => ({
  liquidOf,
  urls,
  next: createNext({ store, ...options }),
  readPeople,
  followMerges: createFollowMerges(store),
  unreached: createUnreached(store),
  readHours: createReadHours(store),
  cappedAmong: createCapped(store),
  contentsOf: createContentsOf(store),
});

type TurnTools = ReturnType<typeof createTools>;

const decide = async ({ readHours }: TurnTools, of: Next, turn: Turn) => {
  const { delivery, recipients } = of;
  const candidates = candidatesOf(of, turn);
  const { override_messaging_limits: isFree = false } = recipients;
  const profiles = candidates.map(({ person }) => person.profile);
  const hours = delivery.at_optimal_time ? await readHours(profiles, turn.now) : new Map();
  const plan = planOf(of, turn.settings, hours);
  const decided = candidates.map((one) => ({
    ...one,
    judged: judge(plan, one.person, {
      now: turn.now,
      isCapped: !isFree && turn.capped.has(one.person.profile._id),
      isRetry: isRetry(one.row, 0),
      ...(one.row.due && { waited: one.row.due }),
    }),
  }));
  return { plan, decided };
};

/** A block may name states, too: it is not read yet. */
const needsStates = (channel: Channel, all: readonly Next[]): boolean =>
  asksConsent(channel) ||
  all.some(({ content }) => {
    const texts = liquidIn(content).map(({ text }) => text);
    return mayName(texts, 'subscribed_state') || mayName(texts, 'content_blocks');
  });

const keepsText = ({ channel, counts }: DeliveryDocument): boolean =>
  channel === 'content_card' || counts.sent < mostTextsKept;

/** For those to whom it is sent, in their order. */
const write = async (
  { contentsOf, liquidOf, urls }: TurnTools,
  { delivery, content }: Next,
  decided: readonly Decided[],
  { held, inTurn }: Turn,
): Promise<{ written: Written[]; writingMs: number }> => {
  const liquid = liquidOf(delivery.ws);
  const places = liquidIn(content);
  const texts = places.map(({ text }) => text);
  const { blocks, centers } = await contentsOf(delivery.ws, texts, liquid);
  const links = createMessageLinks(urls, delivery.ws, centers);
  const people = decided.map(({ person }) => person);
  const { channel } = delivery;
  const letter = { channel, content, places, blocks, links, isKept: keepsText(delivery) };
  return inTurn('', async () => {
    await held.enter();
    const from = performance.now();
    const written = await writeFor(letter, people, liquid, held);
    return { written, writingMs: performance.now() - from };
  });
};

/** Up to the first person whose texts there was no room to hold. */
const decideAndWrite = async (tools: TurnTools, whole: Next, turn: Turn) => {
  const { plan, decided } = await decide(tools, whole, turn);
  const to = decided.filter(isTo);
  const { written, writingMs } = await write(tools, whole, to, turn);
  const texts = new Map(written.map((text, place) => [to[place]?.row._id, text]));
  const left = to[written.length];
  const all = { plan, texts, writingMs };
  if (!left) return { ...all, of: whole, decided };
  return { ...all, of: before(whole, left.row.profile), decided: decided.slice(0, decided.indexOf(left)) };
};

const prepareOne = async (tools: TurnTools, asked: Next, turn: Turn): Promise<Prepared> => {
  const { of: whole, ...followed } = await tools.followMerges(asked, turn);
  const { of, plan, decided, texts, writingMs } = await decideAndWrite(tools, whole, turn);
  const { delivery, page } = of;
  const rows = decided.map(({ row: known, judged }) => {
    const [row, text] = [judgedRow(known, judged, turn.now), texts.get(known._id)];
    return { before: known, judged, text, row: text ? writtenRow(row, text, turn.now) : row };
  });
  const isNew = new Set(page.ids);
  const mayRepeat = turn.settings.messaging.resend_unknown;
  const outgoing = rows.flatMap(({ row, judged, text }): Outgoing[] =>
    'to' in judged && text && 'content' in text
      ? [{ row, to: judged.to, content: text.content, keepsText: keepsText(delivery), mayRepeat }]
      : [],
  );
  const again = [
    ...rows.filter(({ row }) => !isNew.has(row.profile)),
    ...goneOf(of, turn),
    ...lostOf(of, turn),
    ...followed.again,
  ];
  const later = new Set(whole.waiting.slice(of.waiting.length).map(({ _id }) => _id));
  const { due, rests } = await tools.next.due(
    { ...asked, page, waiting: asked.waiting.filter(({ _id }) => !later.has(_id)) },
    [...rows.map(({ row }) => row), ...again.flatMap(({ row }) => row ?? []), ...followed.fresh],
    turn.now,
  );
  const fresh = [...rows.flatMap(({ row }) => (isNew.has(row.profile) ? [row] : [])), ...followed.fresh];
  const names = page.isLast && !delivery.read ? await tools.unreached(of, fresh, turn.now) : { fresh: [] };
  return {
    delivery,
    ...names,
    fresh: [...fresh, ...names.fresh],
    again,
    cursor: page.cursor,
    read: page.isLast,
    ...(!page.isLast && [...followed.fresh, ...followed.again].length > 0 && { merged: true }),
    caps: of.recipients.override_messaging_limits ? [] : turn.caps,
    due,
    // It falls due anew.
    ...(!rests && delivery.fence !== undefined && { fence: delivery.fence }),
    outgoing,
    writingMs,
    outgoingAgain: againBy(plan),
  };
};

export const createPrepare = (options: PrepareOptions) => {
  const { settingsOf } = options;
  const tools = createTools(options);

  /** Of one lane, and at most so many recipients; each delivery has one at least. */
  return async (all: readonly DeliveryDocument[], most: number, now: Date, held: Held) => {
    const [first] = all;
    if (!first) return { all: [], readAt: performance.now() };
    const { ws, channel } = first;
    const room = Math.max(1, Math.floor(most / all.length));
    const whole = await Promise.all(all.map((delivery) => tools.next.of(delivery, room, now)));
    const ids = new Set(
      whole.flatMap(({ page, waiting }) => [...page.ids, ...waiting.map((row) => row.profile)]),
    );
    const readAt = performance.now();
    const { people, upTo: last } = await tools.readPeople([...ids], channel, needsStates(channel, whole));
    const settings = await settingsOf(ws);
    const caps = capsOf(channel, settings.messaging.frequency_caps);
    const holders = [...people.values()].map(({ profile }) => profile);
    const turn: Turn = {
      now,
      expires: expiryOf(now, Math.max(mostCardDays, settings.retention.outcome_days)),
      settings,
      people,
      caps,
      capped: await tools.cappedAmong(caps, holders, { channel, now }),
      held,
      inTurn: createLines(),
    };
    const some = last === undefined ? whole : whole.map((one) => upTo(one, last));
    return { all: await Promise.all(some.map((one) => prepareOne(tools, one, turn))), readAt };
  };
};
