// T26: forty callers bring the same person at once, by external id, by alias, by email: one person comes of it.
import { keyOf, type Person, tokensOf } from '../../harness/people.ts';
import { aliasOf, ext, happening } from '../../harness/sayings.ts';
import { below, isSame, type Race } from './race.ts';

const callers = 40;
const tokens = (round: string, by: string, count = callers): string[] =>
  below(count).map((i) => `${round}-${by}-${i}`);

const oneWith = (found: readonly Person[], by: string, wanted: readonly string[]): string[] => {
  const broken = found.length === 1 ? [] : [`${found.length} people by ${by}`];
  return isSame(tokensOf(found), wanted)
    ? broken
    : [...broken, `not everything happened to the person named by ${by}`];
};

export const creations: Race = {
  name: 'forty creations',
  mostRounds: 50,
  async play(caller, round) {
    const email = { email: `${round}@example.com` };
    const alias = aliasOf('web', round);
    const track = (who: Parameters<typeof happening>[0], by: string) => (i: number) =>
      caller.post('/users/track', happening(who, `${round}-${by}-${i}`));
    await Promise.all([
      ...below(callers).map(track(ext(round), 'ext')),
      ...below(callers).map(track(email, 'email')),
      ...below(callers / 2).map(track(alias, 'alias')),
      ...below(callers / 2).map(() => caller.post('/users/alias/new', { user_aliases: [alias.user_alias] })),
    ]);
  },
  check: (people, round) => [
    ...oneWith(people.named(keyOf.ext(round)), 'external id', tokens(round, 'ext')),
    ...oneWith(people.named(keyOf.alias('web', round)), 'alias', tokens(round, 'alias', callers / 2)),
    ...oneWith(people.withEmail(`${round}@example.com`), 'email', tokens(round, 'email')),
  ],
};
