/** One page of a list: it ends at its last place, or before it grows too large. RFC 7644 3.4.2.4 lets a page hold fewer than were asked for. */
import type { Resource } from '../attributes/attribute.ts';

export const createPage = ({ count, bytes }: { count: number; bytes: number }) => {
  const resources: Resource[] = [];
  let left = bytes;
  let isFull = count === 0;
  return {
    resources,
    isFull: () => isFull,
    /** Takes what still fits, and the first one in any case. */
    add(resource: Resource): void {
      left -= Buffer.byteLength(JSON.stringify(resource));
      if (resources.length === 0 || left >= 0) resources.push(resource);
      isFull = resources.length === count || left <= 0;
    },
  };
};
