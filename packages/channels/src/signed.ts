/** Texts that only this installation can have made: JSON and its signature. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { acceptedSecrets, knownSecrets, makingSecret, type Secrets } from '@roster/secrets';

/** Longer ones are not looked at. */
const longest = 1024;

/** What is signed for one purpose is worth nothing for another: request ids and API keys have the same secret. */
export const createSigned = (secrets: Secrets, purpose: string, now: () => number = Date.now) => {
  const signatureOf = (secret: string, payload: string): Buffer =>
    createHmac('sha256', secret).update(`${purpose}\n${payload}`).digest();

  const isSigned = (secret: string, payload: string, signature: string): boolean => {
    const given = Buffer.from(signature, 'base64url');
    const right = signatureOf(secret, payload);
    // The text too: base64 has several texts for the same bytes.
    return (
      given.length === right.length &&
      given.toString('base64url') === signature &&
      timingSafeEqual(given, right)
    );
  };

  /** The payload, if one of these secrets has signed it. */
  const payloadIn = (text: string, among: readonly string[]): string | undefined => {
    if (text.length > longest) return undefined;
    const [payload = '', signature = '', ...more] = text.split('.');
    if (more.length > 0) return undefined;
    return among.some((secret) => isSigned(secret, payload, signature)) ? payload : undefined;
  };

  return {
    sign(value: unknown): string {
      const payload = Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${payload}.${signatureOf(makingSecret(secrets), payload).toString('base64url')}`;
    },

    /** Nothing of a text is believed, nor parsed, before its signature is right: `undefined` otherwise. */
    read(text: string): unknown {
      const payload = payloadIn(text, acceptedSecrets(secrets, now()));
      return payload === undefined ? undefined : JSON.parse(Buffer.from(payload, 'base64url').toString());
    },

    /** Of a text that is not read: its signature was right until the date of its secret. */
    isPast: (text: string): boolean => payloadIn(text, knownSecrets(secrets)) !== undefined,
  };
};
