/** The block that a change is about. */
import { type AcceptedRequest, Rejection } from '@roster/contract';
import type { ContentBlockDocument, Session, Store } from '@roster/store';
import { isOvertaken } from '../overtaken.ts';

export const findToChange = async (
  { content }: Pick<Store, 'content'>,
  session: Session,
  request: AcceptedRequest,
): Promise<ContentBlockDocument> => {
  const { content_block_id: _id } = request.body as { content_block_id: string };
  const block = await content.blocks.findOne({ _id, ws: request.ws }, { session });
  if (!block) throw new Rejection('CONTENT_BLOCK_UNKNOWN');
  if (isOvertaken(request, block.edited)) throw new Rejection('CONTENT_BLOCK_OVERTAKEN');
  return block;
};
