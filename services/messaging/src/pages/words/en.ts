/** Every text of the pages that Roster writes itself. A language is one file that has all of them. */
export const en = {
  /** Title and heading of the default preference center. */
  title: 'Your preferences',
  /** Above the choices; `email` is a hidden form of the email. */
  intro: (email: string): string => `Choose what you would like to receive at ${email}.`,
  introWithoutEmail: 'Choose what you would like to receive.',
  emails: 'Emails',
  texts: 'Text messages',
  /** When the workspace has no groups that the person could get. */
  noTopics: 'There is nothing to choose from at the moment.',
  unsubscribedNow:
    'You have unsubscribed from all emails. What you choose below is not sent until you also switch off “Unsubscribe me from everything”.',
  everything: 'Everything',
  unsubscribeAll: 'Unsubscribe me from everything',
  unsubscribeAllHint: 'You will receive none of the above, whatever is chosen there.',
  save: 'Save my choices',
  saved: 'Your choices are saved',
  savedHint: 'You can close this page now.',
  youGet: 'You will receive',
  youDoNotGet: 'You will not receive',
  youGetNothing:
    'You will receive no more emails from us, whatever you choose, until you switch off “Unsubscribe me from everything”.',
  stillSaving:
    'We have your choices and are applying them now. It can take a few minutes until this page shows them.',
  changeAgain: 'Change my choices',
  unsubscribed: 'You are unsubscribed',
  unsubscribedHint: 'It can take a moment until it has effect everywhere.',
  linkBroken: 'This link does not work',
  linkBrokenHint:
    'It may have been cut off, or it belongs to a person who is no longer known here. Please open the link in the latest email from us, or answer that email.',
  linkExpired: 'This link is too old',
  linkExpiredHint:
    'Links to your preferences only work for a while, to keep them safe. Please open the link in the latest email from us, or answer that email.',
  formOld: 'This page was open for too long',
  formOldHint: 'Nothing was changed. Please open it again and choose once more.',
  openAgain: 'Open my preferences',
  tooMany: 'One moment, please',
  tooManyHint:
    'There were too many requests from your network. Nothing was changed. Please try again in a minute.',
  away: 'That did not work just now',
  awayHint: 'Something on our side is not working. Please try again in a minute.',
};

export type Words = typeof en;
