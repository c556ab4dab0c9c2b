import type { ContentBlockDocument } from '@roster/store';

/** An active content block of the workspace `demo`. */
export const aContentBlock = (more: Partial<ContentBlockDocument>): ContentBlockDocument => ({
  _id: `id-${more.name}`,
  ws: 'demo',
  version: 1,
  name: 'footer',
  content: 'x',
  state: 'active',
  tags: [],
  includes: [],
  changed: [],
  created: 1,
  edited: 1,
  ...more,
});
