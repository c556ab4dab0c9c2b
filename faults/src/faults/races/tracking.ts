// T25: forty requests about people who are merged and identified meanwhile. Nothing is lost.
import { keyOf, numberOf, tokensOf } from '../../harness/people.ts';
import { aliasOf, ext, happening, identifying, merging, together } from '../../harness/sayings.ts';
import { below, isSame, type Race } from './race.ts';

const happenings = 40;
/** Half to the one who is merged away, a quarter each to the one who is kept and to the visitor. */
const to = ['away', 'away', 'kept', 'visitor'] as const;
type Role = (typeof to)[number];

const whoIs = (round: string, role: Role) =>
  role === 'visitor' ? aliasOf('web', round) : ext(`${round}-${role}`);

const tokensIn = (round: string): string[] => [
  `${round}-away`,
  `${round}-kept`,
  `${round}-visitor`,
  ...below(happenings).map((i) => `${round}-${i}`),
];

export const trackingMeanwhile: Race = {
  name: 'track meanwhile',
  mostRounds: 200,
  async play(caller, round) {
    const first = (['away', 'kept', 'visitor'] as const).map((role) =>
      happening(whoIs(round, role), `${round}-${role}`, role),
    );
    await caller.post('/users/track', together(first));
    const happen = (i: number) => {
      const role = to[i % to.length] ?? 'away';
      return caller.post('/users/track', happening(whoIs(round, role), `${round}-${i}`, role));
    };
    const pair = [whoIs(round, 'away'), whoIs(round, 'kept')] as const;
    const visitor = aliasOf('web', round);
    await Promise.all([
      ...below(happenings / 2).map(happen),
      caller.post('/users/merge', merging(pair)),
      caller.post('/users/identify', identifying('merge', [visitor, `${round}-kept`])),
      ...below(happenings / 2).map((i) => happen(i + happenings / 2)),
    ]);
  },
  check(people, round) {
    const kept = people.find(keyOf.ext(`${round}-kept`));
    // A request after the merge, by the old id, creates a new person.
    const anew = people.find(keyOf.ext(`${round}-away`));
    const broken = isSame(tokensOf([kept, anew]), tokensIn(round)) ? [] : ['events are lost or doubled'];
    if (!isSame(tokensOf([kept, anew], 'purchases'), tokensIn(round)))
      broken.push('purchases are lost or doubled');
    const counted = (role: Role): number => numberOf(kept, role) + numberOf(anew, role);
    const wanted = { away: 21, kept: 11, visitor: 11 };
    for (const role of ['away', 'kept', 'visitor'] as const)
      if (counted(role) !== wanted[role])
        broken.push(`${counted(role)} of ${wanted[role]} steps for ${role}`);
    if (people.find(keyOf.alias('web', round)) !== kept) broken.push('the visitor is another person');
    return broken;
  },
};
