/** What a page shows of a person: their states at this moment, and as little else as possible. */
import type { WorkspaceSettings } from '@roster/access';
import { present } from '@roster/contract';
import {
  type Consent,
  type ConsentState,
  contactKeysOf,
  groupKey,
  newProfile,
  type Profile,
  statesOf,
} from '@roster/profile';
import { consentMembers, type Store } from '@roster/store';

/** `null`: nothing was ever said. */
export type GroupState = WorkspaceSettings['subscription_groups'][number] & { state: ConsentState | null };

export const isOn = ({ state }: Pick<GroupState, 'state'>): boolean =>
  state === 'subscribed' || state === 'opted_in';

export interface Preferences {
  ws: string;
  /** Service id of the person now: after a merge, of the kept person. */
  person: string;
  /** What people call the workspace. */
  sender: string;
  language?: string;
  /** So much of the email that its owner knows it, and nobody else. */
  hiddenEmail?: string;
  hasPhone: boolean;
  /** All emails, whatever group they belong to. */
  emails: ConsentState | null;
  groups: readonly GroupState[];
}

/** Everybody gets emails who did not refuse them. */
export const getsEmails = ({ emails }: Pick<Preferences, 'emails'>): boolean => emails !== 'unsubscribed';

/** Text messages and WhatsApp messages reach people with a phone. Who subscribed to such a group without one can leave it. */
export const reachingGroups = ({ groups, hasPhone }: Pick<Preferences, 'groups' | 'hasPhone'>) =>
  groups.filter((group) => group.channel === 'email' || hasPhone || isOn(group));

/** Its settings may be of before. */
type StoredWorkspace = Partial<WorkspaceSettings> & Pick<WorkspaceSettings, 'id'>;

const projection = { ...consentMembers, 'fields.language': 1 } as const;

/** `ada@example.com` as `a***@example.com`. */
const hidden = (email: string): string => {
  const at = email.lastIndexOf('@');
  return at > 0 ? `${at > 1 ? [...email][0] : ''}***${email.slice(at)}` : '***';
};

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const shown = (profile: Profile, said: readonly Consent[], workspace: StoredWorkspace): Preferences => {
  const states = new Map(said.map(({ k, v }) => [k, v]));
  const { email, language, phone } = profile.fields;
  const own = textIn(email?.v);
  return {
    ws: profile.ws,
    person: profile._id,
    sender: workspace.name ?? workspace.id,
    ...present({ language: textIn(language?.v), hiddenEmail: own === undefined ? undefined : hidden(own) }),
    hasPhone: textIn(phone?.v) !== undefined,
    emails: states.get('email') ?? null,
    groups: (workspace.subscription_groups ?? []).map((group) => ({
      ...group,
      state: states.get(groupKey(group.id, group.channel)) ?? null,
    })),
  };
};

/** `undefined`: there is no such person (any more). */
export type ReadPreferences = (ws: string, person: string) => Promise<Preferences | undefined>;

export const createPreferences = ({
  profiles,
  contactConsents,
  workspaces,
}: Pick<Store, 'profiles' | 'contactConsents' | 'workspaces'>): ReadPreferences => {
  const find = async (ws: string, person: string): Promise<Profile | undefined> => {
    const found =
      (await profiles.findOne<Partial<Profile>>({ _id: person, ws }, { projection })) ??
      (await profiles.findOne<Partial<Profile>>({ ws, absorbed: person }, { projection }));
    return found ? { ...newProfile(found._id ?? person, ws, 0), ...found } : undefined;
  };

  return async (ws, person) => {
    const profile = await find(ws, person);
    const workspace = profile && (await workspaces.get<StoredWorkspace>(ws));
    if (!profile || !workspace) return undefined;
    const contacts = await contactConsents.read(contactKeysOf(profile));
    return shown(profile, statesOf(profile, contacts), workspace);
  };
};
