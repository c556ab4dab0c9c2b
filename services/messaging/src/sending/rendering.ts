/** Writes the texts of a message for its recipients, some at once. */
import type { Rendered, Templates } from '@roster/liquid';
import type { MessageLinks } from '../links/message-links.ts';
import type { Person } from './people.ts';
import { type Content, type Place, withTexts } from './texts.ts';
import { createVariablesOf } from './variables.ts';

/** So many people at once, and of large ones fewer. */
const most = { people: 50, bytes: 2 * 1024 * 1024 };

/** In mails people's own words are no HTML. */
const htmlMembers: ReadonlySet<string> = new Set(['body', 'preheader']);

function* someOf(people: readonly Person[]): Generator<Person[]> {
  let [some, bytes]: [Person[], number] = [[], 0];
  for (const person of people) {
    some.push(person);
    bytes += person.bytes;
    if (some.length < most.people && bytes < most.bytes) continue;
    yield some;
    [some, bytes] = [[], 0];
  }
  if (some.length > 0) yield some;
}

export type Written = { content: Content } | { fault: Exclude<Rendered, string[]> };

export interface Letter {
  channel: string;
  content: Content;
  places: readonly Place[];
  blocks: Record<string, string>;
  links: MessageLinks;
}

/** In the order of the people. */
export const writeFor = async (
  { channel, content, places, blocks, links }: Letter,
  people: readonly Person[],
  liquid: Templates,
): Promise<Written[]> => {
  if (places.length === 0) return people.map(() => ({ content }));
  const texts = places.map(({ path: [member = ''], text }) => ({
    text,
    ...(channel === 'email' && htmlMembers.has(member) && { escape: 'html' as const }),
  }));
  const variablesOf = createVariablesOf([...texts.map(({ text }) => text), ...Object.values(blocks)], links);
  const written: Written[] = [];
  for (const some of someOf(people)) {
    const rendered = await liquid.renderEach({ texts, blocks, variables: some.map(variablesOf) });
    written.push(
      ...rendered.map((one) =>
        Array.isArray(one) ? { content: withTexts(content, places, one) } : { fault: one },
      ),
    );
  }
  return written;
};
