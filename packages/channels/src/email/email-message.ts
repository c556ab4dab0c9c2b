/** An email of the interface as it is sent: styles inlined, with a plain text beside the HTML. */
import { addressIn, addressRule, emailHeaderFault, mailboxIn, mailboxRule, noReply } from '@roster/contract';
import { convert } from 'html-to-text';
import juice from 'juice';
import type { Outgoing } from '../outgoing.ts';
import type { Email } from './send-email.ts';

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Shown by mail programs beside the subject, and not in the mail. */
const preheaderIn = (text: string): string =>
  `<div style="display:none;max-height:0;overflow:hidden">${text}</div>`;

const withPreheader = (html: string, preheader: string | undefined): string => {
  if (preheader === undefined) return html;
  const body = /<body[^>]*>/i.exec(html);
  const at = body ? body.index + body[0].length : 0;
  return html.slice(0, at) + preheaderIn(preheader) + html.slice(at);
};

const withStyles = (html: string, content: Outgoing['content']): string =>
  content.should_inline_css === true ? juice(html) : html;

/** What the texts of a person have made of it. */
const faultOf = (headers: Readonly<Record<string, string>>): string | undefined => {
  for (const [name, value] of Object.entries(headers)) {
    const what = emailHeaderFault(name, value);
    if (what !== undefined) return `the header ${name} ${what}`;
  }
  return undefined;
};

const headersIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text).trim()]));

/** Addresses are parts from here on; a message of before that has anything else there is not sent to anybody. */
const addressesIn = ({
  to: person,
  content,
}: Outgoing): Pick<Email, 'from' | 'to' | 'replyTo' | 'bcc'> | string => {
  const [to, from] = [addressIn(person), mailboxIn(textIn(content.from) ?? '')];
  const [reply, copy] = [textIn(content.reply_to), textIn(content.bcc)];
  const replyTo = reply === undefined || reply === noReply ? undefined : mailboxIn(reply);
  const bcc = copy === undefined ? undefined : addressIn(copy);
  if (to === undefined) return 'the email of the person is not one email';
  if (!from) return `from ${mailboxRule}`;
  if (!replyTo && reply !== undefined && reply !== noReply) return `reply_to ${mailboxRule}`;
  if (bcc === undefined && copy !== undefined) return `bcc ${addressRule}`;
  return { from, to, ...(replyTo && { replyTo }), ...(bcc !== undefined && { bcc }) };
};

/** A text says why it cannot be sent. */
export const emailIn = (message: Outgoing): Email | string => {
  const { id, content, headers: ours } = message;
  const [addresses, headers] = [addressesIn(message), headersIn(content.headers)];
  if (typeof addresses === 'string') return addresses;
  const fault = faultOf(headers);
  if (fault !== undefined) return fault;
  const body = textIn(content.body) ?? '';
  return {
    ...addresses,
    id: id.replaceAll('/', '.'),
    subject: textIn(content.subject) ?? '',
    html: withPreheader(withStyles(body, content), textIn(content.preheader)),
    text: textIn(content.plaintext_body) ?? convert(body, { wordwrap: 100 }),
    headers: { ...headers, ...ours },
  };
};
