/** How answers show a content block. */
import type { ContentBlockDocument, ContentVersion } from '@roster/store';
import { timeOf } from '../stamp.ts';

export const liquidTagOf = (name: string): string => `{{content_blocks.\${${name}}}}`;

export const showChanged = ({ _id, name, created }: ContentBlockDocument): object => ({
  content_block_id: _id,
  liquid_tag: liquidTagOf(name),
  created_at: timeOf(created),
  message: 'success',
});

const htmlTag = /<[a-z!/][^<>]*>/i;

/** What `list` and `info` both show. */
export const showBlock = (
  { _id, created }: Pick<ContentBlockDocument, '_id' | 'created'>,
  { name, content, tags, edited }: ContentVersion,
  inclusions: number,
) => ({
  content_block_id: _id,
  name,
  content_type: htmlTag.test(content) ? 'html' : 'text',
  inclusion_count: inclusions,
  created_at: timeOf(created),
  last_edited: timeOf(edited),
  tags,
});
