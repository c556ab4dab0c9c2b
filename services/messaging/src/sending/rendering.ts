/** Writes the texts of a message for its recipients, some at once. */
import { stringifyExact } from '@roster/contract';
import type { Rendered, Templates } from '@roster/liquid';
import type { MessageLinks } from '../links/page-urls.ts';
import type { Held } from './held-texts.ts';
import type { Recipient } from './people.ts';
import { type Content, formOf, type Place } from './texts.ts';
import { createVariablesOf } from './variables.ts';

/** So many people at once, and of large ones fewer. */
const most = { people: 50, bytes: 2 * 1024 * 1024 };

/** In mails people's own words are no HTML. */
const htmlMembers: ReadonlySet<string> = new Set(['body', 'preheader']);

function* someOf(people: readonly Recipient[]): Generator<Recipient[]> {
  let [some, bytes]: [Recipient[], number] = [[], 0];
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
  /** Its text stays with its row while it has no provider. */
  isKept: boolean;
}

/** In two bytes each: V8 takes one or two. */
const bytesOfTexts = (rendered: Rendered): number =>
  Array.isArray(rendered) ? 2 * rendered.reduce((sum, { length }) => sum + length, 0) : 0;

/** Of a message without Liquid nothing is copied, unless it is kept. */
const writeAlike = (content: Content, people: readonly Recipient[], keptBytes: number, held: Held) => {
  const written: Written[] = [];
  while (written.length < people.length && held.hasRoom()) {
    written.push({ content });
    held.add({ bytes: keptBytes, steps: 0 });
  }
  return written;
};

/** In the order of the people, and for the first of them only where that is all that may be held. */
export const writeFor = async (
  { channel, content, places, blocks, links, isKept }: Letter,
  people: readonly Recipient[],
  liquid: Templates,
  held: Held,
): Promise<Written[]> => {
  const keptBytes = isKept ? 2 * stringifyExact(content).length : 0;
  if (places.length === 0) return writeAlike(content, people, keptBytes, held);
  const texts = places.map(({ path: [member = ''], text }) => ({
    text,
    ...(channel === 'email' && htmlMembers.has(member) && { escape: 'html' as const }),
  }));
  const variablesOf = createVariablesOf([...texts.map(({ text }) => text), ...Object.values(blocks)], links);
  const form = formOf(content, places);
  const written: Written[] = [];

  const take = ({ rendered, steps }: Awaited<ReturnType<Templates['renderSome']>>): void => {
    held.add({ bytes: 0, steps });
    for (const one of rendered) {
      const bytes = form.bytes + bytesOfTexts(one);
      held.add({ bytes: isKept ? 2 * bytes + keptBytes : bytes, steps: 0 });
      written.push(Array.isArray(one) ? { content: form.withTexts(one) } : { fault: one });
    }
  };

  for (const some of someOf(people)) {
    let variables = some.map(variablesOf);
    let atOnce = variables.length;
    while (variables.length > 0) {
      if (!held.hasRoom()) return written;
      const asked = variables.slice(0, atOnce);
      const done = await liquid.renderSome({ texts, blocks, variables: asked });
      take(done);
      variables = variables.slice(done.rendered.length);
      // About as many as fit into one series: no more are sent to the thread for nothing.
      atOnce = done.rendered.length < asked.length ? done.rendered.length : 2 * atOnce;
    }
  }
  return written;
};
