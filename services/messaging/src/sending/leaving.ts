/** Who leaves in a turn, and until when. Where the turn took its time, the people are read once more: consent is asked as late as the send. */
import { classify } from '@roster/store';
import { asksConsent } from './consent.ts';
import type { createReadPeople } from './people.ts';
import type { Prepared, PreparedTurn } from './prepare.ts';
import type { Outgoing } from './send-one.ts';

/**
 * How long what was read of a person holds. Who has not left by then is read again in the next turn. It counts from the question; of one person
 * alone from the answer, since nobody can be read with less to do.
 */
const goodForMs = 1000;

export interface Leaving {
  leave: Outgoing[];
  /** They may not get it any more, or not yet: the next turn says why. */
  stay: Outgoing[];
  /** `performance.now()` */
  until: number;
}

export const createLeaving = (readPeople: ReturnType<typeof createReadPeople>) => {
  const readAgain = async (all: readonly Prepared[], channel: Outgoing['row']['channel']) => {
    const readAt = performance.now();
    const ids = all.flatMap(({ outgoing }) => outgoing.map(({ row }) => row.profile));
    const { people } = await readPeople([...new Set(ids)], channel, asksConsent(channel));
    const now = new Date();
    const leaving: Leaving = { leave: [], stay: [], until: readAt + goodForMs };
    for (const { outgoing, outgoingAgain } of all)
      for (const one of outgoing) {
        const person = people.get(one.row.profile);
        const still = person && outgoingAgain(one, person, now);
        if (still) leaving.leave.push(still);
        else leaving.stay.push(one);
      }
    const isAlone = leaving.leave.length === 1;
    return { ...leaving, ...(isAlone && { until: performance.now() + goodForMs }) };
  };

  return async (turn: PreparedTurn, sending: ReadonlySet<string>): Promise<Leaving> => {
    const { readAt } = turn;
    const all = turn.all.map((one) => ({
      ...one,
      outgoing: one.outgoing.filter(({ row }) => sending.has(row._id)),
    }));
    const leave = all.flatMap(({ outgoing }) => outgoing);
    const [first] = leave;
    const isOld = performance.now() - readAt > goodForMs / 2;
    if (first && isOld)
      return readAgain(all, first.row.channel).catch((error) => {
        if (classify(error) !== 'passing') throw error;
        return { leave: [], stay: leave, until: readAt };
      });
    return { leave, stay: [], until: readAt + goodForMs };
  };
};
