/** The options of a preference center, as callers say them and as they are stored. */
import type { BodyFor } from '@roster/contract';
import type { PreferenceCenterDocument } from '@roster/store';

type SentOptions = NonNullable<BodyFor<'preference_center.create'>['options']>;
type Stored = PreferenceCenterDocument['options'];
type Link = Stored['links'][number];

/** Members that nobody knows are left out. */
const linkOf = ({ rel, type, sizes, color, href }: Link): Link => ({
  rel,
  ...(type != null && { type }),
  ...(sizes != null && { sizes }),
  ...(color != null && { color }),
  href,
});

export const storedOptions = (said: SentOptions | undefined): Stored => {
  const viewport = said?.['meta-viewport-content'];
  return {
    ...(viewport != null && { viewport }),
    links: (said?.['links-tags'] ?? []).map(linkOf),
    ...(said?.['allow-scripts'] === true && { scripts: true as const }),
  };
};

export const shownOptions = ({ viewport, links, scripts }: Stored): object => ({
  ...(viewport !== undefined && { 'meta-viewport-content': viewport }),
  ...(links.length > 0 && { 'links-tags': links }),
  ...(scripts && { 'allow-scripts': true }),
});
