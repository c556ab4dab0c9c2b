/** What one person would get of a message, written by what the sender writes with. Nothing is sent. */
import { plainTextOf } from '@roster/channels';
import { defaultCenterId, type Recipients, stringifyExact } from '@roster/contract';
import type { Templates } from '@roster/liquid';
import type { Channel } from '@roster/store';
import { linkedCenters } from './centers/linked.ts';
import type { Tools } from './handler.ts';
import { createMessageLinks, type PageUrls } from './links/page-urls.ts';
import { createHeldTexts } from './sending/held-texts.ts';
import { judge } from './sending/judge.ts';
import { createContentsOf } from './sending/named.ts';
import { createReadPeople, type Recipient } from './sending/people.ts';
import { planOf } from './sending/plan.ts';
import { writeFor } from './sending/rendering.ts';
import { createSenderSettings, groupIdsOf } from './sending/settings.ts';
import { type Content, liquidIn, type Place } from './sending/texts.ts';
import { stateNames, variableNames } from './sending/variables.ts';

type PreviewTools = Pick<Tools, 'store' | 'urls'> & { liquid: Templates };

export interface Asked {
  ws: string;
  /** Service id. */
  person: string;
  channel: Channel;
  content: Content;
  recipients?: Recipients;
}

const linksIn = (content: Content): string[] => [
  ...new Set(stringifyExact(content).match(/https?:\/\/[^\s"'<>\\)]+/g) ?? []),
];

/** Names in its texts that nothing is known by: they are rendered as nothing. */
const unknownIn = async (
  { store, liquid }: PreviewTools,
  ws: string,
  { places, blocks }: { places: readonly Place[]; blocks: Record<string, string> },
): Promise<string[]> => {
  const unknown = new Set<string>();
  const known = stateNames(await groupIdsOf(store, ws));
  for (const text of [...places.map((place) => place.text), ...Object.values(blocks)]) {
    const { names, states, includes, centers } = await liquid.check(text);
    for (const name of names.filter((one) => !variableNames.includes(one))) unknown.add(name);
    for (const name of states.filter((one) => !known.includes(one))) unknown.add(`subscribed_state.${name}`);
    for (const name of includes.filter((one) => !Object.hasOwn(blocks, one)))
      unknown.add(`content_blocks.${name}`);
    const linked = await linkedCenters(store, { ws, centers });
    for (const [name, id] of linked)
      if (id === defaultCenterId && name !== defaultCenterId) unknown.add(`preference_center.${name}`);
  }
  return [...unknown];
};

/** Addresses, empty where it goes nowhere in particular; why the person would not get it now, or not before when. */
const judged = async (
  { store }: PreviewTools,
  { ws, channel, content, recipients = {} }: Asked,
  person: Recipient,
) => {
  const delivery = { channel, time: new Date().toISOString() };
  const plan = planOf({ delivery, recipients, content }, await createSenderSettings(store)(ws), new Map());
  const found = judge(plan, person, { now: new Date(), isCapped: false, isRetry: false });
  return 'to' in found ? { to: found.to.map(({ to }) => to) } : { to: [], ...found };
};

const ofEmail = async (urls: PageUrls, { ws, person }: Asked, { body, plaintext_body }: Content) => ({
  text: typeof plaintext_body === 'string' ? plaintext_body : await plainTextOf(String(body)),
  headers: urls.unsubscribe({ ws, center: defaultCenterId, person }),
});

export const createPreview = (options: PreviewTools) => {
  const { store, liquid, urls } = options;
  const readPeople = createReadPeople(store);
  const contentsOf = createContentsOf(store);

  return async (asked: Asked) => {
    const { ws, channel, content } = asked;
    const { people } = await readPeople([asked.person], channel, true);
    const person = people.get(asked.person);
    if (!person) return undefined;
    const places = liquidIn(content);
    const texts = places.map(({ text }) => text);
    const { blocks, centers } = await contentsOf(ws, texts, liquid);
    const links = createMessageLinks(urls, ws, centers);
    const held = createHeldTexts().turn(ws);
    const letter = { channel, content, places, blocks, links, isKept: false };
    const [written] = await writeFor(letter, [person], liquid, held);
    const all = {
      channel,
      ...(await judged(options, asked, person)),
      unknown: await unknownIn(options, ws, { places, blocks }),
    };
    if (!written || 'fault' in written)
      return { ...all, links: [], fault: written?.fault.reason ?? 'no room' };
    const made = written.content;
    return {
      ...all,
      content: made,
      links: linksIn(made),
      ...(channel === 'email' && (await ofEmail(urls, asked, made))),
    };
  };
};
