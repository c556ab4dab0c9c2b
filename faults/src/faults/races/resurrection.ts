// T34: older requests are still queued or stalled when a person is deleted. A person created after that is new, without old data.
import { keyOf, tokensOf } from '../../harness/people.ts';
import { ext, happening } from '../../harness/sayings.ts';
import { below, isSame, type Race } from './race.ts';

const older = below(5);

export const resurrection: Race = {
  name: 'resurrection',
  async play(caller, round, n) {
    await Promise.all(
      older.map((i) => caller.post('/users/track', happening(ext(round), `${round}-old-${i}`, 'old'))),
    );
    const deletion = await caller.post('/users/delete', { external_ids: [round] });
    if (n % 2 === 1) return;
    // What is accepted while the deletion waits counts as before it.
    await caller.applied(deletion);
    await caller.post('/users/track', happening(ext(round), `${round}-new`, 'new'));
  },
  check(people, round, n) {
    const found = people.named(keyOf.ext(round));
    const wanted = n % 2 === 0 ? [`${round}-new`] : [];
    const broken = found.length === wanted.length ? [] : [`${found.length} people, not ${wanted.length}`];
    if (!isSame(tokensOf(found), wanted)) broken.push(`${tokensOf(found)} happened to them`);
    return found.some(({ custom }) => custom.has('old')) ? [...broken, 'an old attribute came back'] : broken;
  },
};
