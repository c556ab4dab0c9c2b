/** The block that a change is about. */
import type { AcceptedRequest } from '@roster/contract';
import type { ContentBlockDocument, Session, Store } from '@roster/store';
import { blockUnknown, overtaken } from '../refusals.ts';

/** Changes that were accepted within so short a time may be made in any order: their callers wait for them at the same time. */
const raceMs = 5_000;

/** A job that comes back much later must not undo what was said since. */
const assertInTime = ({ at }: AcceptedRequest, { edited }: ContentBlockDocument): void => {
  if (edited > at && Date.now() - at / 1000 > raceMs) throw overtaken();
};

export const findToChange = async (
  { content }: Pick<Store, 'content'>,
  session: Session,
  request: AcceptedRequest,
): Promise<ContentBlockDocument> => {
  const { content_block_id: _id } = request.body as { content_block_id: string };
  const block = await content.blocks.findOne({ _id, ws: request.ws }, { session });
  if (!block) throw blockUnknown();
  assertInTime(request, block);
  return block;
};
