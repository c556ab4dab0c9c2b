// The people and the events of the bench. Seeded, so that two runs send the same bytes.

/** People are named `<prefix><number>`; the bench's own ten thousand exist before anything is measured. */
export interface People {
  prefix: string;
  count: number;
}

export const residents: People = { prefix: 'resident-', count: 10_000 };

/** Half a million who come now and then, as people do: an event is hardly ever about one who was seen just now. */
export const crowdOf = (quick: boolean): People => ({ prefix: 'crowd-', count: quick ? 10_000 : 500_000 });

const personName = ({ prefix, count }: People, index: number): string => `${prefix}${index % count}`;

/** A small linear congruence: good enough to spread people, and the same on every machine. */
const createDice = (seed: number) => {
  let state = seed;
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
};

const names = ['page_viewed', 'cart_opened', 'search_made', 'video_started'];

const event = (people: People, dice: (sides: number) => number, time: string) => ({
  external_id: personName(people, dice(people.count)),
  name: names[dice(names.length)],
  time,
  properties: { path: '/pricing', position: dice(100) },
});

/** Bodies of `/users/track` with so many events each, 150 bytes an event. */
export const eventBodies = (people: People, perRequest: number, bodies: number): string[] => {
  const next = freshEventBodies(people, perRequest, 42);
  return Array.from({ length: bodies }, next);
};

/** One body after the other, and no event twice. */
export const freshEventBodies = (people: People, perRequest: number, seed: number): (() => string) => {
  const dice = createDice(seed);
  return () => {
    const time = new Date().toISOString();
    return JSON.stringify({ events: Array.from({ length: perRequest }, () => event(people, dice, time)) });
  };
};

/** One body after the other: people at random, each with a new value of one attribute. */
export const freshUpdateBodies = (people: People, perRequest: number, seed: number): (() => string) => {
  const dice = createDice(seed);
  let count = 0;
  const update = () => {
    count += 1;
    return { external_id: personName(people, dice(people.count)), plan: `plan-${seed}-${count}` };
  };
  return () => JSON.stringify({ attributes: Array.from({ length: perRequest }, update) });
};

/** Bodies that make the people exist, fifty to a request; those before `first` exist already. */
export const arrivalBodies = (people: People, first = 0): string[] => {
  const bodies: string[] = [];
  for (let from = first; from < people.count; from += 50) {
    const some = Array.from({ length: Math.min(50, people.count - from) }, (_, i) => ({
      external_id: personName(people, from + i),
      first_name: 'Ada',
      plan: 'free',
    }));
    bodies.push(JSON.stringify({ attributes: some }));
  }
  return bodies;
};

/** Bodies that set one attribute of so many people each, all people in turn, each time to a new value. */
export const updateBodies = (people: People, perRequest: number, bodies: number): string[] => {
  const update = (n: number) => ({ external_id: personName(people, n), plan: `plan-${n}` });
  return Array.from({ length: bodies }, (_, body) =>
    JSON.stringify({
      attributes: Array.from({ length: perRequest }, (_, i) => update(body * perRequest + i)),
    }),
  );
};
