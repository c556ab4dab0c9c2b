/** What one SCIM request may hold and cost. The README and docs/adr/scim.md say why these numbers. */
export const limits = {
  /** Operations of a PATCH, where each member of a value without a path counts as one. */
  changes: 200,
  /** Emails of a user. */
  emails: 100,
  /** Elements of any other list: workspaces, teams, roles, permission sets, permissions. */
  values: 1000,
  /** Members of one object, known and unknown ones. */
  members: 200,
  /** Bytes of a user as it is shown. */
  userBytes: 256 * 1024,
  /** Comparisons in one filter. */
  comparisons: 30,
  /** Bytes of a list answer: the page ends before it grows larger, but has one user at least. */
  pageBytes: 1_000_000,
  /** Steps of work, about a microsecond of CPU each: see work.ts. */
  steps: 150_000,
  /** So long a request keeps the event loop before it lets the others on. */
  sliceMs: 20,
};

export type ScimLimits = typeof limits;

/** For fault tests, to see what the limits are good for: this process has none from now on. */
export const liftLimits = (): void => {
  for (const name of Object.keys(limits) as (keyof ScimLimits)[]) limits[name] = Number.POSITIVE_INFINITY;
};
