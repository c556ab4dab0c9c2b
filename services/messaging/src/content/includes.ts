/** Which blocks a content includes, and that none of them leads back to it. */
import { Rejection } from '@roster/contract';
import type { TemplateFault, Templates } from '@roster/liquid';
import type { ContentBlockDocument, Session, Store } from '@roster/store';
import type { Tools } from '../handler.ts';
import { type IncludedUnknown, includedUnknown, malformed } from '../refusals.ts';
import { limits } from './space.ts';
import { unknownInTexts } from './unknown-names.ts';

type Checked = Awaited<ReturnType<Templates['check']>>;

/** What the content names: blocks that it includes, and preference centers that it links to. */
export type Named = Pick<Checked, 'includes' | 'centers'>;

export const joinNamed = (all: readonly Named[]): Named => ({
  includes: [...new Set(all.flatMap(({ includes }) => includes))],
  centers: [...new Set(all.flatMap(({ centers }) => centers))],
});

type NamesOfText = Omit<Checked, 'faults'> & { place: string };

/** What texts name, each and together. `refusal`: of the first one that is no Liquid. */
export const namesOfTexts = async (
  liquid: Templates,
  texts: readonly { place: string; text: string }[],
  refusal: (fault: TemplateFault, place: string) => Rejection,
): Promise<Named & { all: NamesOfText[] }> => {
  const all: NamesOfText[] = [];
  for (const { place, text } of texts) {
    const { faults, ...named } = await liquid.check(text);
    const [fault] = faults;
    if (fault) throw refusal(fault, place);
    all.push({ ...named, place });
  }
  return { all, ...joinNamed(all) };
};

export const namedIn = async (
  { store, liquidOf }: Pick<Tools, 'store' | 'liquidOf'>,
  ws: string,
  content: string,
) => {
  const texts = [{ place: 'content', text: content }];
  const { all, ...named } = await namesOfTexts(liquidOf(ws), texts, malformed);
  if (named.includes.length > limits.includes) throw new Rejection('CONTENT_BLOCK_INCLUDES_TOO_MANY');
  return { ...named, told: await unknownInTexts(store, ws, all) };
};

type Including = Pick<ContentBlockDocument, '_id' | 'ws' | 'name' | 'includes' | 'state'>;

/**
 * In the transaction of the change, after it has entered the space: no other change can close a circle together with this one. A block
 * without a way back to itself stays so, unless it or another one changes, which is looked at again then. What is active includes only what is
 * active, so no draft is seen by people.
 */
export const assertIncludable = async ({ content }: Store, session: Session, block: Including) => {
  const { _id, ws, name, includes, state } = block;
  const options = { session, projection: { name: 1, includes: 1, state: 1 } };
  const mayInclude = (one: Pick<Including, 'state'>): boolean => state === 'draft' || one.state === 'active';
  const seen = new Set<string>();
  let next = [...includes];
  while (next.length > 0) {
    if (next.includes(name)) throw new Rejection('CONTENT_BLOCK_IN_ITSELF');
    const others = { ws, name: { $in: next }, _id: { $ne: _id } };
    const found = await content.blocks.find<Omit<Including, 'ws'>>(others, options).toArray();
    const usable = new Set(found.filter(mayInclude).map((one) => one.name));
    const missing = seen.size === 0 ? next.find((one) => !usable.has(one)) : undefined;
    if (missing !== undefined) throw includedUnknown('CONTENT_BLOCK_INCLUDED_UNKNOWN', missing);
    for (const one of next) seen.add(one);
    next = [...new Set(found.flatMap((one) => one.includes))].filter((other) => !seen.has(other));
  }
};

/** Whether content may include the blocks that it names: those that are there, and no drafts. Inside of the place of the workspace's content: no block goes away meanwhile. */
export const assertUsable = async (
  { content }: Pick<Store, 'content'>,
  session: Session,
  { ws, includes }: { ws: string; includes: readonly string[] },
  code: IncludedUnknown,
): Promise<void> => {
  if (includes.length === 0) return;
  const usable = { ws, name: { $in: [...includes] }, state: 'active' } as const;
  const found = await content.blocks.find(usable, { session, projection: { name: 1 } }).toArray();
  const known = new Set(found.map(({ name }) => name));
  const missing = includes.find((name) => !known.has(name));
  if (missing !== undefined) throw includedUnknown(code, missing);
};
