/** Plays many histories at once against the real system and looks at what is there afterwards, all over HTTP. */
import { insist } from '../harness/book.ts';
import { type Answer, type Client, isAccepted, isPassing, requestIdOf } from '../harness/client.ts';
import { eachOf, inParts, sleep } from '../harness/wait.ts';
import { attributesOf, type Call, callOf, type Names } from './calls.ts';
import type { Seen, Step } from './explain.ts';
import { askedIn, type History, svcOf } from './history.ts';
import { lookAt, serviceIdsOf } from './look.ts';
import type { Operation } from './model.ts';

export interface Played {
  history: History;
  names: Names;
  steps: Step[];
  seen: Seen;
  /** Ids of the accepted requests. */
  accepted: string[];
  /** Promises that were broken whatever the order was. */
  broken: string[];
}

export const changesContact = (operation: Operation): boolean =>
  operation.do === 'track' && (operation.email !== undefined || operation.phone !== undefined);

const isByContact = (operation: Operation): boolean =>
  operation.do === 'track' && ('email' in operation.who || 'phone' in operation.who);

/** A merge is waited for to see it applied, a change of a contact because an entry by the contact would not (docs/adr/order.md). */
const isWaitedFor = ({ waits }: History, operation: Operation): boolean =>
  waits !== false && (operation.do === 'merge' || changesContact(operation));

/** Until it is answered. */
const answered = (client: Client, call: Call, key: string, isWaitedFor = false): Promise<Answer> =>
  insist(client, {
    ...call,
    idempotencyKey: key,
    ...(isWaitedFor && { headers: { prefer: 'wait=15' } }),
  });

interface Moment {
  step: Omit<Step, 'after'>;
  sent: number;
  isAccepted: boolean;
  /** When the answer was there after which others come later. */
  answered?: number;
  id: string;
  refused?: string;
}

/** A caller who asked for a result and waited in vain: of deletions the order is promised all the same (docs/adr/order.md). */
const isOpen = (operation: Operation, { status, body }: Answer, wasWaitedFor: boolean): boolean => {
  if (wasWaitedFor) return !body.includes('"state":"applied"');
  return status === 202 && body.includes('"state":"queued"') && operation.do !== 'delete';
};

/** Operations of one kind as entries of one request. */
const callOfAll = (names: Names, operations: readonly Operation[]): Call => {
  const calls = operations.map((one) => callOf(names, one));
  const [{ path, body } = { path: '', body: {} }] = calls;
  const lists = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? calls.flatMap((one) => one.body[name]) : value,
  ]);
  return { path, body: Object.fromEntries(lists) };
};

const send = async (
  client: Client,
  operations: readonly Operation[],
  { names, key, waits }: { names: Names; key: string; waits: boolean },
): Promise<Moment[]> => {
  const sent = performance.now();
  const answer = await answered(client, callOfAll(names, operations), key, waits);
  const isRefused = !isAccepted(answer) && !isPassing(answer);
  return operations.map((operation) => ({
    step: { operation, perhaps: !isAccepted(answer) },
    sent,
    isAccepted: isAccepted(answer),
    ...(isAccepted(answer) && !isOpen(operation, answer, waits) && { answered: performance.now() }),
    id: requestIdOf(answer),
    ...(isRefused && { refused: `${operation.do} was answered ${answer.status}: ${answer.body}` }),
  }));
};

/** A request that is sent after the answer to another comes after it, whatever it is. */
const ordered = (moments: readonly Moment[]): Step[] =>
  moments.map(({ step, sent }) => ({
    ...step,
    after: moments.flatMap(({ answered }, place) =>
      answered !== undefined && answered <= sent ? [place] : [],
    ),
  }));

/** The operations that are sent at the same moment: changes of contacts are answered before somebody is named by a contact. */
export const groupsOf = (phase: readonly Operation[]): Operation[][] => {
  const isFirst = phase.some(isByContact) ? changesContact : () => false;
  const groups = [true, false].map((is) => phase.filter((operation) => isFirst(operation) === is));
  return groups.filter(({ length }) => length > 0);
};

/** Long enough that the queue is written to in between, and short enough that a worker has not done the first. */
const momentMs = 6;

const requestsIn = ({ sent }: History, group: readonly Operation[]): (readonly Operation[])[] =>
  sent === 'in one request' && group[0]?.do !== 'track' ? [group] : group.map((one) => [one]);

const playPhases = async (client: Client, history: History, names: Names): Promise<Moment[]> => {
  const moments: Moment[] = [];
  for (const [number, phase] of history.phases.entries()) {
    let place = 0;
    for (const group of groupsOf(phase)) {
      const sent = requestsIn(history, group).map(async (request, n) => {
        const key = `${names.prefix}-${number}-${place++}`;
        if (history.sent === 'a moment apart') await sleep(n * momentMs);
        const waits = request.some((one) => isWaitedFor(history, one));
        return send(client, request, { names, key, waits });
      });
      moments.push(...(await Promise.all(sent)).flat());
    }
  }
  return moments;
};

/** The first of all histories, then the second: those who share a contact are made one after the other. */
const begin = async (
  client: Client,
  all: readonly { history: History; names: Names }[],
): Promise<string[]> => {
  const ids: string[] = [];
  const most = Math.max(...all.map(({ history }) => history.beginning.length));
  for (let place = 0; place < most; place++) {
    const attributes = all.flatMap(({ history, names }) => {
      const operation = history.beginning[place];
      return operation ? [attributesOf(names, operation)] : [];
    });
    for (const [n, some] of inParts(attributes, 50).entries()) {
      const key = `${all[0]?.names.prefix}-begin-${place}-${n}`;
      const answer = await answered(client, { path: '/users/track', body: { attributes: some } }, key);
      if (!isAccepted(answer)) throw new Error(`the beginning was answered ${answer.status}: ${answer.body}`);
      ids.push(requestIdOf(answer));
    }
  }
  await serviceIdsOf(
    client,
    all.flatMap(({ history, names }) =>
      history.beginning.map(({ who }) => ({ names, who, svc: svcOf(who) })),
    ),
  );
  return ids;
};

/** Numbers phones through, so that no two histories share one. */
let phones = 0;

const namesOf = (prefix: string): Names => ({
  prefix,
  phone: `+1415${2_000_000 + phones++}`,
  svcs: {},
});

interface Playing {
  /** Stands before all names, so that a history can be played again. */
  name: string;
  /** Histories under way at the same time, each with up to three callers at once. */
  hands: number;
  /** Between the last answer and the look. */
  beforeLook?(): Promise<void>;
}

export const playAll = async (
  client: Client,
  histories: readonly History[],
  { name, hands, beforeLook }: Playing,
): Promise<{ played: Played[]; accepted: string[] }> => {
  const all = histories.map((history, n) => ({ history, names: namesOf(`${name}x${n}`) }));
  const accepted = await begin(client, all);
  const moments = new Map<History, Moment[]>();
  await eachOf(all, hands, async ({ history, names }) => {
    moments.set(history, await playPhases(client, history, names));
  });
  await beforeLook?.();
  const looked = all.map(({ history, names }) => ({ names, asked: askedIn(history) }));
  const people = await lookAt(client, looked);
  const played = all.map(({ history, names }, n): Played => {
    const own = moments.get(history) ?? [];
    return {
      history,
      names,
      steps: ordered(own),
      seen: { asked: looked[n]?.asked ?? [], people: people[n] ?? '' },
      accepted: own.flatMap(({ id, isAccepted }) => (isAccepted ? [id] : [])),
      broken: own.flatMap(({ refused }) => (refused ? [refused] : [])),
    };
  });
  return { played, accepted: [...accepted, ...played.flatMap(({ accepted }) => accepted)] };
};
