/**
 * The place of a workspace's content. Each change enters it first: it writes one document, so of two changes at once MongoDB lets one through
 * and the other one reads again. What a change checks (names, references, numbers) no other one alters meanwhile.
 */
import type { ContentSpaceDocument, Session, Store } from '@roster/store';

type Counts = Partial<Pick<ContentSpaceDocument, 'blocks' | 'versions'>>;

/** `more` is what the change adds; the numbers returned have it already. */
export const enterSpace = async (
  { content }: Pick<Store, 'content'>,
  session: Session,
  ws: string,
  { blocks = 0, versions = 0 }: Counts = {},
): Promise<ContentSpaceDocument> => {
  const $inc = { changes: 1, blocks, versions };
  const options = { session, upsert: true, returnDocument: 'after' } as const;
  const space = await content.spaces.findOneAndUpdate({ _id: ws }, { $inc }, options);
  if (!space) throw new Error('an upsert returned nothing');
  return space;
};
