/** An email as the interface has it, judged: what crosses the border to the thread that makes it. */
import {
  addressIn,
  addressRule,
  emailHeaderFault,
  type Mailbox,
  mailboxIn,
  mailboxRule,
  noReply,
  present,
} from '@roster/contract';
import type { Outgoing } from '../outgoing.ts';

export interface Letter {
  /** The same for each try: it becomes the `Message-ID`, by which servers and people know a repetition. */
  id: string;
  from: Mailbox;
  to: string;
  replyTo?: Mailbox;
  bcc?: string;
  subject: string;
  /** HTML. */
  body: string;
  plaintext?: string;
  preheader?: string;
  /** Whether its styles are written into the tags. */
  isInlined: boolean;
  headers: Readonly<Record<string, string>>;
  /** Its parts are wanted, too: they are shown. */
  isShown?: true;
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** What the texts of a person have made of it. */
const headerFault = (headers: Readonly<Record<string, string>>): string | undefined => {
  for (const [name, value] of Object.entries(headers)) {
    const what = emailHeaderFault(name, value);
    if (what !== undefined) return `the header ${name} ${what}`;
  }
  return undefined;
};

const headersIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text).trim()]));

/** Addresses are parts from here on; a message of before that has anything else there is not sent to anybody. */
const addressesIn = ({ to: person, content }: Outgoing) => {
  const [to, from] = [addressIn(person), mailboxIn(textIn(content.from) ?? '')];
  const [reply, copy] = [textIn(content.reply_to), textIn(content.bcc)];
  const replyTo = reply === undefined || reply === noReply ? undefined : mailboxIn(reply);
  const bcc = copy === undefined ? undefined : addressIn(copy);
  if (to === undefined) return 'the email of the person is not one email';
  if (!from) return `from ${mailboxRule}`;
  if (!replyTo && reply !== undefined && reply !== noReply) return `reply_to ${mailboxRule}`;
  if (bcc === undefined && copy !== undefined) return `bcc ${addressRule}`;
  return { from, to, ...present({ replyTo, bcc }) };
};

/** Of what texts have made of the subject. */
const longestSubject = 1000;

/** A text says why it cannot be sent. */
export const letterIn = (message: Outgoing): Letter | string => {
  const { id, content, headers: ours } = message;
  const addresses = addressesIn(message);
  if (typeof addresses === 'string') return addresses;
  const headers = headersIn(content.headers);
  const fault = headerFault(headers);
  if (fault !== undefined) return fault;
  const [plaintext, preheader] = [textIn(content.plaintext_body), textIn(content.preheader)];
  const subject = (textIn(content.subject) ?? '').replace(/\p{Cc}+/gu, ' ');
  if (subject.length > longestSubject) return `the subject must have at most ${longestSubject} characters`;
  return {
    ...addresses,
    id: id.replaceAll('/', '.'),
    subject,
    body: textIn(content.body) ?? '',
    ...present({ plaintext, preheader }),
    isInlined: content.should_inline_css === true,
    headers: { ...headers, ...ours },
  };
};
