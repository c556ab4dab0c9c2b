// Callers who set one attribute over and over, each waiting for its answer before the next: the last one accepted must stand.
import type { Book, Sendable } from './book.ts';
import { sendUntilAccepted } from './book.ts';
import { attributeOfAll } from './stored.ts';
import type { System } from './system.ts';

const callers = Array.from({ length: 20 }, (_, i) => `client-${i}`);

const shade = (round: number, i: number): string => `shade-${round}-${i}`;

/** So many sets by each caller, one after the other. */
export const setColours = async (
  { client }: System,
  book: Book<Sendable>,
  round: number,
  sets: number,
): Promise<void> => {
  const setting = async (name: string) => {
    for (let i = 1; i <= sets; i++) {
      const body = { attributes: [{ external_id: name, colour: shade(round, i) }] };
      await sendUntilAccepted(client, book, { key: `${name}-${round}-${i}`, body });
    }
  };
  await Promise.all(callers.map(setting));
};

export interface Look {
  callers: number;
  wrong: number;
  broken: string[];
}

/** Once all is applied: who finds another value than the last of the round. */
export const lookAtColours = async ({ mongo }: System, round: number, sets: number): Promise<Look> => {
  const colours = await attributeOfAll(mongo, 'colour');
  const misled = callers.filter((name) => colours.get(name) !== shade(round, sets));
  const [first] = misled;
  const broken =
    first === undefined
      ? []
      : [`round ${round}: ${misled.length} find an older value, ${first}: ${colours.get(first)}`];
  return { callers: callers.length, wrong: misled.length, broken };
};
