/** Every text of the pages that Roster writes itself. A language is one file that has all of them. */
export const en = {
  /** Title and heading of the default preference center. */
  title: 'Your preferences',
  /** Above the choices; `email` is a hidden form of the email. */
  intro: (email: string): string => `Choose what you would like to receive at ${email}.`,
  introWithoutEmail: 'Choose what you would like to receive.',
  emails: 'Emails',
  texts: 'Messages to your phone number',
  /** The box for all emails, whatever their group. The texts below name it. */
  allEmails: 'Emails from us',
  allEmailsHint: 'If this is off, we send you no emails, whatever else you choose. Your choices are kept.',
  unsubscribedNow:
    'You have unsubscribed from all emails. To receive emails again, switch on “Emails from us”.',
  unsubscribeAll: 'Unsubscribe me from everything',
  unsubscribeAllHint: 'Switches off all of the above, and saves that at once.',
  save: 'Save my choices',
  saved: 'Your choices are saved',
  savedHint: 'You can close this page now.',
  youGet: 'You will receive',
  /** Groups of emails that are on while all emails are off. */
  notSentNow: 'Chosen, but not sent while “Emails from us” is off',
  youDoNotGet: 'You will not receive',
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
  formOld: 'This page is out of date',
  formOldHint: 'Nothing was changed. Please open it again and choose once more.',
  openAgain: 'Open my preferences',
  tooMany: 'One moment, please',
  tooManyHint:
    'There were too many requests from your network. Nothing was changed. Please try again in a minute.',
  away: 'That did not work just now',
  awayHint: 'Something on our side is not working. Please try again in a minute.',
};

export type Words = typeof en;
