/**
 * Passkeys as a second step of the sign-in: a browser uses one at the address for which it was made and nowhere else, so nobody is talked
 * out of it (https://www.w3.org/TR/webauthn-3/). Asked for once: what was signed is good for one answer within five minutes.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { oneTimeTokens } from '@roster/access';
import { present } from '@roster/contract';
import type { DashboardUserDocument, Passkey, Store } from '@roster/store';
import type { Request } from 'express';

export const mostPasskeys = 10;
const longestName = 60;

/** Loaded by who uses a passkey: with what it needs it is 30 MB. */
const openServer = () => import('@simplewebauthn/server');

/** Where the browser is. A passkey belongs to a name, never to an IP. */
export interface Site {
  host: string;
  origins: string[];
}

export const siteOf = ({ headers }: Pick<Request, 'headers'>): Site | undefined => {
  const { host = '' } = headers;
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  if (!url || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  return { host: url.hostname, origins: [`https://${host}`, `http://${host}`] };
};

const tokens = oneTimeTokens('passkey', 5 * 60_000);

/** What the page needs: the token comes back with the answer of the passkey. */
export interface Asked {
  token: string;
  /** As the browser takes them. */
  options: object;
}

interface Asking {
  user: Pick<DashboardUserDocument, '_id' | 'userName' | 'passkeys'>;
  site: Site;
  now: Date;
}

const note = async (
  { dashboard }: Store,
  { user, now }: Asking,
  { challenge, name }: { challenge: string; name?: string },
): Promise<string> => {
  const { token, id, expires } = tokens.create(now);
  await dashboard.sessions.insertOne({
    _id: id,
    user: user._id,
    expires,
    challenge,
    ...present({ name }),
  });
  return token;
};

/** Whoever asks for it has it, once. */
export const takeAsked = async ({ dashboard }: Store, token: string, now: Date) => {
  const asked = await dashboard.sessions.findOneAndDelete({ _id: tokens.idOf(token) });
  return asked && asked.expires > now ? asked : undefined;
};

const described = ({ id, transports }: Passkey) => ({
  id,
  ...(transports && { transports: transports as never[] }),
});

export const passkeysAt = (
  { passkeys = [] }: Pick<DashboardUserDocument, 'passkeys'>,
  { host }: Site,
): Passkey[] => passkeys.filter((passkey) => passkey.host === host);

/** For the sign-in. */
export const askPasskey = async (store: Store, asking: Asking): Promise<Asked> => {
  const { generateAuthenticationOptions } = await openServer();
  const { host: rpID } = asking.site;
  const allowCredentials = passkeysAt(asking.user, asking.site).map(described);
  const options = await generateAuthenticationOptions({ rpID, allowCredentials });
  return { token: await note(store, asking, options), options };
};

export const askNewPasskey = async (store: Store, asking: Asking & { name: string }): Promise<Asked> => {
  const { generateRegistrationOptions } = await openServer();
  const { user, site, name } = asking;
  const options = await generateRegistrationOptions({
    rpName: 'Roster',
    rpID: site.host,
    userName: user.userName,
    userID: createHash('sha256').update(user._id).digest(),
    excludeCredentials: passkeysAt(user, site).map(described),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
  const named = name.trim().slice(0, longestName) || 'Passkey';
  return { token: await note(store, asking, { challenge: options.challenge, name: named }), options };
};

const parsed = (text: string): { id?: unknown } => {
  try {
    return (JSON.parse(text) as { id?: unknown } | null) ?? {};
  } catch {
    // It comes from the page, or from nobody.
    return {};
  }
};

const unlessWrong = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  // Which part of an answer is not right helps nobody who may hear of it.
  work.catch(() => undefined);

/** The passkey that has answered, and how often it says that it was used. */
export const usedPasskey = async (
  answer: string,
  { user, site, challenge }: { user: DashboardUserDocument; site: Site; challenge: string },
): Promise<{ id: string; counter: number } | undefined> => {
  const response = parsed(answer);
  const passkey = passkeysAt(user, site).find(({ id }) => id === response.id);
  if (!passkey) return undefined;
  const { verifyAuthenticationResponse } = await openServer();
  const checked = await unlessWrong(
    verifyAuthenticationResponse({
      response: response as never,
      expectedChallenge: challenge,
      expectedOrigin: site.origins,
      expectedRPID: site.host,
      credential: {
        ...described(passkey),
        publicKey: Buffer.from(passkey.key, 'base64url'),
        counter: passkey.counter,
      },
      requireUserVerification: false,
    }),
  );
  return checked?.verified ? { id: passkey.id, counter: checked.authenticationInfo.newCounter } : undefined;
};

export const madePasskey = async (
  answer: string,
  { site, challenge, name, now }: { site: Site; challenge: string; name: string; now: Date },
): Promise<Passkey | undefined> => {
  const { verifyRegistrationResponse } = await openServer();
  const checked = await unlessWrong(
    verifyRegistrationResponse({
      response: parsed(answer) as never,
      expectedChallenge: challenge,
      expectedOrigin: site.origins,
      expectedRPID: site.host,
      requireUserVerification: false,
    }),
  );
  if (!checked?.verified) return undefined;
  const { id, publicKey, counter, transports } = checked.registrationInfo.credential;
  const key = Buffer.from(publicKey).toString('base64url');
  return { id, key, counter, host: site.host, name, added: now, ...present({ transports }) };
};
