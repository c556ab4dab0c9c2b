/** How answers show a content block. */
import type { ContentBlockDocument } from '@roster/store';
import { timeOf } from '../stamp.ts';

export const liquidTagOf = (name: string): string => `{{content_blocks.\${${name}}}}`;

export const showChanged = ({ _id, name, created }: ContentBlockDocument): object => ({
  content_block_id: _id,
  liquid_tag: liquidTagOf(name),
  created_at: timeOf(created),
  message: 'success',
});
