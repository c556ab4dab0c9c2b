/** The headers that a message may add to its email. All others belong to Roster, or to the servers that the email passes. */

const allowed = [
  'Auto-Submitted',
  'Feedback-ID',
  'Importance',
  'In-Reply-To',
  'Keywords',
  'List-ID',
  'Organization',
  'Precedence',
  'Priority',
  'References',
  'Sensitivity',
];

/** Mail servers read recipients there. */
const withRecipients = ['X-SMTPAPI', 'X-MSYS-API', 'X-MC-BccAddress', 'X-Receiver'];

const setOf = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => name.toLowerCase()));

const [allowedSet, withRecipientsSet] = [setOf(allowed), setOf(withRecipients)];

const isAllowed = (name: string): boolean =>
  allowedSet.has(name) || (name.startsWith('x-') && !withRecipientsSet.has(name));

export const headersRule = `Allowed are X-... and ${allowed.join(', ')}; ${withRecipients
  .join(', ')
  .replace(/, ([^,]*)$/, ' and $1')} are not, because mail servers read recipients there`;

/** RFC 5322 2.1.1. */
const longest = 998;

/** What is wrong with a header, if anything is. */
export const emailHeaderFault = (name: string, value: string): string | undefined => {
  if (!isAllowed(name.toLowerCase())) return `is not allowed. ${headersRule}`;
  if (/\p{Cc}/u.test(value.trim())) return 'must be one line without control characters';
  return value.length > longest ? `must have at most ${longest} characters` : undefined;
};
