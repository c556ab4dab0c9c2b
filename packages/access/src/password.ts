/** Passwords of dashboard users: scrypt, with parameters that take a tenth of a second and 64 MB. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

export interface PasswordHash {
  salt: string;
  hash: string;
}

const length = 32;
const usual = 2 ** 16;

/** `cost`: the N of scrypt. */
const derive = (password: string, salt: Buffer, cost: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N: cost, r: 8, p: 1, maxmem: 128 * 2 ** 20 };
    scrypt(password.normalize('NFC'), salt, length, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

export const hashPassword = async (password: string, cost = usual): Promise<PasswordHash> => {
  const salt = randomBytes(16);
  return { salt: salt.toString('hex'), hash: (await derive(password, salt, cost)).toString('hex') };
};

const noPassword: PasswordHash = { salt: '00'.repeat(16), hash: '00'.repeat(length) };

/** Takes the same time for an unknown user and for a user without a password. */
export const verifyPassword = async (
  known: PasswordHash | undefined,
  password: string,
  cost = usual,
): Promise<boolean> => {
  const { salt, hash } = known ?? noPassword;
  const given = await derive(password, Buffer.from(salt, 'hex'), cost);
  return timingSafeEqual(given, Buffer.from(hash, 'hex')) && known !== undefined;
};
