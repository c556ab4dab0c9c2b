/**
 * The place of a workspace's content. Each change enters it first: it writes one document, so of two changes at once MongoDB lets one through
 * and the other one reads again. What a change checks (names, references, numbers) no other one alters meanwhile.
 */
import { Rejection } from '@roster/contract';
import type { Session, Store } from '@roster/store';

/** What a workspace may keep. The README and docs/adr/content.md say why these numbers. */
export const limits = {
  blocks: 2_000,
  /** Versions before the latest one: of a workspace, and of one block. */
  versions: 20_000,
  versionsOfBlock: 500,
  /** Different blocks that one content includes. */
  includes: 50,
  /** How long it is known that a block was deleted. */
  deletedDays: 365,
} as const;

type SpaceStores = Pick<Store, 'models'>;

export const enterSpace = async ({ models }: SpaceStores, session: Session, ws: string): Promise<void> => {
  const first = { blocks: 0, versions: 0 };
  const entered = { $inc: { changes: 1 }, $setOnInsert: first };
  await models.content_spaces.updateOne({ _id: ws }, entered, { session, upsert: true });
};

/** After the entry. Throws when there is no room for more. */
export const countIn = async (
  { models }: SpaceStores,
  session: Session,
  ws: string,
  more: { blocks?: number; versions?: number },
): Promise<void> => {
  const { blocks = 0, versions = 0 } = more;
  const options = { session, returnDocument: 'after', lean: true } as const;
  const change = { $inc: { blocks, versions } };
  const space = await models.content_spaces.findOneAndUpdate({ _id: ws }, change, options);
  if (blocks > 0 && (space?.blocks ?? 0) > limits.blocks) throw new Rejection('CONTENT_BLOCKS_FULL');
  if (versions > 0 && (space?.versions ?? 0) > limits.versions) throw new Rejection('CONTENT_VERSIONS_FULL');
};
