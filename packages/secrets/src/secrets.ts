/** The secrets of an installation: one makes what is new, and others are known beside it (docs/adr/secret.md). */

export interface OtherSecret {
  secret: string;
  /** Its signatures are believed until this moment; what was digested with it is found as long as it is set. */
  until: Date;
}

/** A text where there is no other. */
export type Secrets = string | { makes: string; others: readonly OtherSecret[] };

/** Signs and digests what is new. */
export const makingSecret = (secrets: Secrets): string =>
  typeof secrets === 'string' ? secrets : secrets.makes;

export const otherSecrets = (secrets: Secrets): readonly OtherSecret[] =>
  typeof secrets === 'string' ? [] : secrets.others;

/** Whose signatures are believed. The one that makes is the first. */
export const acceptedSecrets = (secrets: Secrets, now: number): readonly string[] => [
  makingSecret(secrets),
  ...otherSecrets(secrets)
    .filter(({ until }) => now < until.getTime())
    .map(({ secret }) => secret),
];

/** Under whose digests something is looked up. The one that makes is the first. */
export const knownSecrets = (secrets: Secrets): readonly string[] => [
  makingSecret(secrets),
  ...otherSecrets(secrets).map(({ secret }) => secret),
];
