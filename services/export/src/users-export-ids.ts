/** api.md: POST /users/export/ids. */
import type { AcceptedRequest, ExportRequest } from '@roster/contract';
import { newProfile, type Profile, visible } from '@roster/profile';
import { projectionOf, show } from './fields.ts';
import type { Answer, Tools } from './handler.ts';
import { createPeople } from './people.ts';

/** What was not read is as if it were not there. */
const whole = (profile: Partial<Profile> & { _id: string }): Profile => ({
  ...newProfile(profile._id, '', 0),
  ...profile,
});

const once = (profiles: readonly Profile[]): Profile[] => [
  ...new Map(profiles.map((profile) => [profile._id, profile])).values(),
];

export const usersExportIds = async ({ ws, body }: AcceptedRequest, { store }: Tools): Promise<Answer> => {
  const request = body as ExportRequest;
  const names = request.fields_to_export;
  const found = await createPeople(store)(ws, request, projectionOf(names));
  const unknown = found.filter(({ profiles }) => profiles.length === 0).map(({ asked }) => asked);
  const users = once(found.flatMap(({ profiles }) => profiles)).map((profile) =>
    show(visible(whole(profile)), names),
  );
  return {
    status: 201,
    body: { message: 'success', users, ...(unknown.length > 0 && { invalid_user_ids: unknown }) },
  };
};
