/**
 * The copy of keys, workspaces, SCIM tokens and companies from which the ingress serves. The truth is in MongoDB; this copy can be made anew at any time.
 *
 * Each hash has a version beside it (in the same slot of a cluster) that grows with every change. A process that rewrites a whole
 * hash names the version that it saw before it read MongoDB. If another process wrote meanwhile (a revocation), nothing is written
 * and it reads again. So an old reading never brings a revoked key back.
 */
export const channel = 'roster:access';
export const keysHash = 'roster:keys';
export const workspacesHash = 'roster:workspaces';
export const scimTokensHash = 'roster:scim-tokens';
export const companiesHash = 'roster:companies';
export const versionOf = (hash: string): string => `{${hash}}:version`;

/** One text for one record, in any order of its members. An equal record is not written again. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part,
  );

export type Kind = 'key' | 'workspace' | 'scim_token' | 'company';
export const hashOf: Record<Kind, string> = {
  key: keysHash,
  workspace: workspacesHash,
  scim_token: scimTokensHash,
  company: companiesHash,
};
