/** Plays a history in memory, its requests in a random order that the queues allow. The same dice, the same order. */
import { createPeopleInMemory, type PeopleInMemory } from '@roster/testkit';
import { type Dice, shuffled } from '../../harness/dice.ts';
import type { Names } from '../calls.ts';
import type { Seen, Step } from '../explain.ts';
import { askedIn, type History, svcOf } from '../history.ts';
import type { Operation } from '../model.ts';
import { changesContact, groupsOf } from '../play.ts';
import { lookAt } from './look.ts';
import { createQueues, type Queues, type Without } from './queues.ts';
import { identityKeyOf, type Request, requestOf } from './requests.ts';

const begin = async (
  stored: PeopleInMemory,
  queues: Queues,
  names: Names,
  history: History,
  takeStamp: () => number,
): Promise<void> => {
  for (const [place, operation] of history.beginning.entries()) {
    queues.accept(requestOf(names, operation, -1 - place, takeStamp()));
    while (!queues.isEmpty()) await queues.applySome();
    const claim = stored.claims.get(identityKeyOf(names, operation.who));
    names.svcs[svcOf(operation.who)] = claim?.profile ?? '';
  }
};

type Answered = 'with its result' | 'as accepted' | 'as queued';

/** Callers wait for the result of a change of contact; other tracks are answered at once. Identity requests may be answered before they are applied. */
const answerTo = (dice: Dice, operation: Operation, waits = true): Answered => {
  if (operation.do === 'track') return waits && changesContact(operation) ? 'with its result' : 'as accepted';
  const isLate = dice.below(10) === 0;
  if (!isLate) return 'with its result';
  return operation.do === 'delete' ? 'as accepted' : 'as queued';
};

export const playInOrder = async (
  history: History,
  dice: Dice,
  without?: Without,
): Promise<{ steps: Step[]; seen: Seen }> => {
  let stamp = 1000;
  const takeStamp = (): number => (stamp += 1 + dice.below(3));
  const names: Names = { prefix: 'h', phone: '+14152000000', svcs: {} };
  const stored = createPeopleInMemory();
  const queues = createQueues(stored, dice, takeStamp, without);
  await begin(stored, queues, names, history, takeStamp);
  const steps: Step[] = [];
  const answered: number[] = [];

  const send = async (
    operation: Operation,
    place: number,
  ): Promise<{ request: Request; answer: Answered }> => {
    const request = requestOf(names, operation, place, takeStamp());
    queues.accept(request);
    if (dice.below(3) === 0) await queues.applySome();
    return { request, answer: answerTo(dice, operation, history.waits) };
  };

  const sendAll = async (group: readonly Operation[]): Promise<void> => {
    const placed = group.map((operation, n) => ({ operation, place: steps.length + n }));
    const after = [...answered];
    steps.push(...group.map((operation) => ({ operation, after, perhaps: false })));
    const sent: Awaited<ReturnType<typeof send>>[] = [];
    for (const { operation, place } of shuffled(dice, placed)) sent.push(await send(operation, place));
    for (const { request, answer } of sent) {
      if (answer === 'with its result') while (queues.has(request)) await queues.applySome();
      if (answer !== 'as queued') answered.push(request.place);
    }
    while (!queues.isEmpty() && dice.below(2) === 0) await queues.applySome();
  };

  for (const group of history.phases.flatMap(groupsOf)) await sendAll(group);
  while (!queues.isEmpty()) await queues.applySome();
  const asked = askedIn(history);
  return { steps, seen: { asked, people: lookAt(stored, names, asked) } };
};
