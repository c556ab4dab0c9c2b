/** Makes the bytes of an email: styles in the tags, the preheader, a plain text beside the HTML, and MIME around them. */
import { createTransport } from 'nodemailer';
import { createSteps, EmailFault, limits, type Take } from './costs.ts';
import { type HtmlTree, readHtml } from './html-tree.ts';
import { type Edit, inlineStyles, withEdits } from './inline-styles.ts';
import type { Letter } from './letter.ts';
import { plainTextOf } from './plain-text.ts';

export interface Composed {
  id: string;
  envelope: { from: string; to: string[] };
  bytes: Uint8Array;
  /** What stands in the bytes, before it is encoded. */
  parts?: { html: string; text: string };
}

/** `fault`: why it cannot be made, for its sender. */
export type Composition = Composed | { fault: string };

/** Shown by mail programs beside the subject, and not in the mail. */
const preheaderAt = ({ elements }: HtmlTree, preheader: string): Edit => {
  const at = elements.find(({ name }) => name === 'body')?.open?.end ?? 0;
  const text = `<div style="display:none;max-height:0;overflow:hidden">${preheader}</div>`;
  return { start: at, end: at, text };
};

const htmlOf = ({ body, preheader, isInlined }: Letter, tree: HtmlTree, take: Take): string =>
  withEdits(body, [
    ...(preheader === undefined ? [] : [preheaderAt(tree, preheader)]),
    ...(isInlined ? inlineStyles(tree, body, take) : []),
  ]);

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** In parts: what is a text would be read again, and could be several addresses. */
const alone = (address: string) => (limits.isOneRecipient ? { name: '', address } : address);

/** A message may not name files or pages that this process would read. */
const transport = createTransport({
  streamTransport: true,
  buffer: true,
  newline: 'windows',
  disableFileAccess: true,
  disableUrlAccess: true,
});

const composeOrThrow = async (letter: Letter): Promise<Composed> => {
  const { id, from, to, replyTo, bcc, subject, body, plaintext, headers } = letter;
  const take = createSteps();
  const html = htmlOf(letter, readHtml(body, take), take);
  const text = plaintext ?? plainTextOf(body);
  const { messageId, envelope, message } = await transport.sendMail({
    messageId: `<${id}@${domainOf(from.address)}>`,
    from,
    to: alone(to),
    subject,
    html,
    text,
    ...(replyTo && { replyTo }),
    // Not among the headers, which everybody reads.
    envelope: { from: alone(from.address), to: [to, ...(bcc === undefined ? [] : [bcc])].map(alone) },
    headers: { ...headers },
  });
  if (!(message instanceof Uint8Array)) throw new EmailFault('it has no bytes');
  return {
    id: messageId,
    envelope: { from: envelope.from || '', to: envelope.to },
    bytes: message,
    ...(letter.isShown && { parts: { html, text } }),
  };
};

/** Whatever goes wrong is the fault of the email, and would be the same the next time. */
export const compose = (letter: Letter): Promise<Composition> =>
  composeOrThrow(letter).catch((error: Error) => ({
    fault: error instanceof EmailFault ? error.message : `the email cannot be made: ${error.message}`,
  }));
