/** An email of the interface as it is sent: styles inlined, with a plain text beside the HTML. */
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

const noReply = 'NO_REPLY_TO';

const headersIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(value ?? {}).map(([name, text]) => [name, String(text)]));

export const emailIn = ({ id, to, content }: Outgoing): Email => {
  const body = textIn(content.body) ?? '';
  const html = withPreheader(withStyles(body, content), textIn(content.preheader));
  const replyTo = textIn(content.reply_to);
  const bcc = textIn(content.bcc);
  return {
    id: id.replaceAll('/', '.'),
    from: textIn(content.from) ?? '',
    to,
    subject: textIn(content.subject) ?? '',
    html,
    text: textIn(content.plaintext_body) ?? convert(body, { wordwrap: 100 }),
    ...(replyTo !== undefined && replyTo !== noReply && { replyTo }),
    ...(bcc !== undefined && { bcc }),
    headers: headersIn(content.headers),
  };
};
