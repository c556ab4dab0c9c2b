/** For laws: an order of events in which each event waits for certain others. */

/** The next one is drawn from the events that may come, by the choices in turn. */
export const inSomeOrder = <Event>(
  events: readonly Event[],
  choices: readonly number[],
  mayCome: (event: Event, left: readonly Event[]) => boolean,
): Event[] => {
  let left = events;
  const order: Event[] = [];
  for (let n = 0; left.length > 0; n++) {
    const able = left.filter((event) => mayCome(event, left));
    const next = able[(choices[n % choices.length] ?? 0) % able.length];
    if (!next) throw new Error('no event may come');
    order.push(next);
    left = left.filter((one) => one !== next);
  }
  return order;
};
