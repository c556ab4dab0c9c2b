/** Texts that only this installation can have made: JSON and its signature. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Longer ones are not looked at. */
const longest = 1024;

/** What is signed for one purpose is worth nothing for another: request ids and API keys have the same secret. */
export const createSigned = (secret: string, purpose: string) => {
  const signatureOf = (payload: string): Buffer =>
    createHmac('sha256', secret).update(`${purpose}\n${payload}`).digest();

  const isSigned = (payload: string, signature: string): boolean => {
    const given = Buffer.from(signature, 'base64url');
    const right = signatureOf(payload);
    // The text too: base64 has several texts for the same bytes.
    return (
      given.length === right.length &&
      given.toString('base64url') === signature &&
      timingSafeEqual(given, right)
    );
  };

  return {
    sign(value: unknown): string {
      const payload = Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${payload}.${signatureOf(payload).toString('base64url')}`;
    },

    /** Nothing of a text is believed, nor parsed, before its signature is right: `undefined` otherwise. */
    read(text: string): unknown {
      if (text.length > longest) return undefined;
      const [payload = '', signature = '', ...more] = text.split('.');
      if (more.length > 0 || !isSigned(payload, signature)) return undefined;
      return JSON.parse(Buffer.from(payload, 'base64url').toString());
    },
  };
};
