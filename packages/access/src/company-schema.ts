/** The shape of the settings of a company. */
import { type Static, Type } from '@sinclair/typebox';
import { RateSchema } from './settings.ts';

const closed = { additionalProperties: false };
const name = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });
const id = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
    hint: 'letters, digits, - and _, at most 64',
    description: 'Made from the name unless it is given. Give it to rename a thing later.',
  }),
);
const some = <Item extends ReturnType<typeof Type.Object>>(item: Item, description: string) =>
  Type.Array(item, { default: [], maxItems: 1000, description });
const permissions = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), { default: [], description });

const Team = Type.Object({ id, name: name('What people call the team.') }, closed);
const AppGroup = Type.Object(
  { id, name: name('What people call the workspace.'), teams: Type.Array(Team, { default: [] }) },
  closed,
);
const Role = Type.Object(
  {
    id,
    name: name('What people call the role.'),
    workspace: Type.Optional(name('Name of the workspace for which the role is, if it is for one.')),
  },
  closed,
);
const PermissionSet = Type.Object(
  { id, name: name('What people call the set.'), permissions: permissions('What the set allows.') },
  closed,
);

export const CompanySettingsSchema = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
      hint: 'lower-case letters, digits and -, at most 40',
      description: 'Never changes.',
    }),
    name: name('What people call it.'),
    workspaces: some(AppGroup, 'The workspaces that users may be given.'),
    default_workspace: Type.Optional(
      name('Name of the workspace that a user gets when none is named; the first one unless said otherwise.'),
    ),
    roles: some(Role, 'Roles.'),
    permission_sets: some(PermissionSet, 'Permission sets.'),
    limits: Type.Record(Type.String({ minLength: 1 }), RateSchema, {
      default: {},
      description: 'Rate limits that differ from the usual ones, by the name of their pool (`scim`).',
    }),
  },
  closed,
);

export type Given = Static<typeof CompanySettingsSchema>;
type WithId<Thing> = Omit<Thing, 'id'> & { id: string };
type GivenWorkspace = Given['workspaces'][number];

export interface CompanySettings extends Omit<Given, 'workspaces' | 'roles' | 'permission_sets'> {
  workspaces: (WithId<Omit<GivenWorkspace, 'teams'>> & {
    teams: WithId<GivenWorkspace['teams'][number]>[];
  })[];
  roles: WithId<Given['roles'][number]>[];
  permission_sets: WithId<Given['permission_sets'][number]>[];
}
