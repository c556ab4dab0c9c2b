/** The version of a user, as `If-Match` names it. */
import type { AcceptedRequest } from '@roster/contract';
import type { DashboardUserDocument } from '@roster/store';
import { otherVersion } from '../refusals.ts';
import { versionOf } from './show-user.ts';

export type User = DashboardUserDocument;

const tagsIn = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));

/** Weak comparison: a version is a version. */
export const namesVersion = (header: string, user: User): boolean => {
  const tags = tagsIn(header);
  return tags.includes('*') || tags.includes(versionOf(user).replace(/^W\//, ''));
};

export const assertVersion = ({ headers }: AcceptedRequest, user: User): void => {
  const wanted = headers?.['if-match'];
  if (wanted !== undefined && !namesVersion(wanted, user)) throw otherVersion();
};
