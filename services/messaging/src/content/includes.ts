/** Which blocks a content includes, and that none of them leads back to it. */
import type { Liquid } from '@roster/liquid';
import type { Session, Store } from '@roster/store';
import { includedUnknown, inItself, malformed, tooManyIncludes } from '../refusals.ts';
import { limits } from './limits.ts';

/** Names of blocks, as the content has them. */
export const includesIn = async (liquid: Liquid, content: string): Promise<string[]> => {
  const { faults, includes } = await liquid.check(content);
  if (faults.length > 0) throw malformed(faults);
  if (includes.length > limits.includes) throw tooManyIncludes();
  return includes;
};

interface Including {
  _id: string;
  ws: string;
  name: string;
  includes: readonly string[];
}

/**
 * In the transaction of the change, after it has entered the space: no other change can close a circle together with this one. A block
 * without a way back to itself stays so, unless it or another one changes, which is looked at again then.
 */
export const assertIncludable = async (
  { content }: Pick<Store, 'content'>,
  session: Session,
  { _id, ws, name, includes }: Including,
): Promise<void> => {
  const options = { session, projection: { name: 1, includes: 1 } };
  const seen = new Set<string>();
  let next = [...includes];
  while (next.length > 0) {
    if (next.includes(name)) throw inItself();
    const others = { ws, name: { $in: next }, _id: { $ne: _id } };
    const found = await content.blocks.find<Omit<Including, 'ws'>>(others, options).toArray();
    const missing =
      seen.size === 0 ? next.find((one) => !found.some((block) => block.name === one)) : undefined;
    if (missing !== undefined) throw includedUnknown(missing);
    for (const one of next) seen.add(one);
    next = [...new Set(found.flatMap((block) => block.includes))].filter((one) => !seen.has(one));
  }
};
