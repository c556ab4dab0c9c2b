/** Every text of the pages that Roster writes itself. A language is one file that has all of them. */

export interface Words {
  /** Title and heading of the default preference center. */
  title: string;
  /** Above the choices; `email` is a hidden form of the email. */
  intro(email: string): string;
  introWithoutEmail: string;
  emails: string;
  texts: string;
  /** When the workspace has no groups that the person could get. */
  noTopics: string;
  unsubscribedNow: string;
  everything: string;
  unsubscribeAll: string;
  unsubscribeAllHint: string;
  save: string;
  saved: string;
  savedHint: string;
  youGet: string;
  youDoNotGet: string;
  youGetNothing: string;
  stillSaving: string;
  changeAgain: string;
  unsubscribed: string;
  unsubscribedHint: string;
  linkBroken: string;
  linkBrokenHint: string;
  linkExpired: string;
  linkExpiredHint: string;
  formOld: string;
  formOldHint: string;
  openAgain: string;
  tooMany: string;
  tooManyHint: string;
  away: string;
  awayHint: string;
}
