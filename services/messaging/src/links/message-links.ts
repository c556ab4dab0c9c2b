/** The links of a person that a message may hold: to preference centers, and to the place where all emails can be unsubscribed from. */
import { defaultCenterId } from '@roster/contract';
import type { PageUrls } from './page-urls.ts';

export type MessageLinks = ReturnType<typeof createMessageLinks>;

/** `centers`: ids by name. */
export const createMessageLinks = (
  urls: Pick<PageUrls, 'page'>,
  ws: string,
  centers: ReadonlyMap<string, string>,
) => {
  const linkTo = (center: string, person: string): string => urls.page({ ws, center, person });
  return {
    /** By the name of the preference center. */
    centers: (person: string): Record<string, string> =>
      Object.fromEntries([...centers].map(([name, center]) => [name, linkTo(center, person)])),
    unsubscribe: (person: string): string => linkTo(defaultCenterId, person),
  };
};
