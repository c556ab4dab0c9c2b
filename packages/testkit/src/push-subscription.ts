/** What a browser has of a push subscription: its keys, and it decrypts what comes (RFC 8188 and 8291, of one record). */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

export const createPushSubscription = () => {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
    decrypt(body: Buffer): string {
      const [salt, length] = [body.subarray(0, 16), body.readUInt8(20)];
      const [sender, rest] = [body.subarray(21, 21 + length), body.subarray(21 + length)];
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
      const key = hkdf(browser.computeSecret(sender), auth, info, 32);
      const [cek, nonce] = [
        hkdf(key, salt, 'Content-Encoding: aes128gcm\0', 16),
        hkdf(key, salt, 'Content-Encoding: nonce\0', 12),
      ];
      const cipher = createDecipheriv('aes-128-gcm', cek, nonce);
      cipher.setAuthTag(rest.subarray(-16));
      const padded = Buffer.concat([cipher.update(rest.subarray(0, -16)), cipher.final()]);
      const end = padded.lastIndexOf(2);
      if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no last record');
      return padded.subarray(0, end).toString();
    },
  };
};
