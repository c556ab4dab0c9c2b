/** Whether the board asks people to sign in. Once there was a dashboard user it does for good. */
import type { Store } from '@roster/store';

export type SignInMode = 'auto' | 'always' | 'never';

/** For so long a no is good: the first dashboard user shuts the door within this time. */
const knownMs = 2_000;

export const createNeed = (options: { mode: SignInMode; openStore(): Promise<Store>; now: () => number }) => {
  const { mode, openStore, now } = options;
  let known: { isNeeded: boolean; until: number } | undefined;

  const ask = async (): Promise<boolean> => {
    const { dashboard, audit } = await openStore();
    const hasUsers = (await dashboard.users.findOne({}, { projection: { _id: 1 } })) !== null;
    // The audit log outlives the users: the board must not open to all callers when the last user is deleted.
    const isNeeded = hasUsers || (await audit.tellsOf('user.created'));
    known = { isNeeded, until: isNeeded ? Number.POSITIVE_INFINITY : now() + knownMs };
    return isNeeded;
  };

  /** Throws when MongoDB cannot tell. A board that was open stays open while MongoDB is away: operators need it most then. */
  return async (): Promise<boolean> => {
    if (mode !== 'auto') return mode === 'always';
    if (known && now() < known.until) return known.isNeeded;
    return ask().catch((error) => {
      if (known?.isNeeded === false) return false;
      throw error;
    });
  };
};
