import { present } from '@roster/contract';

/** As an update: members without a value go; what else there is of `more` is set. */
export const changeTo = <Members extends object>(members: Members, more: object = {}) => ({
  $set: { ...present(members), ...present(more) },
  $unset: Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [[name, 1 as const]] : [])),
  ),
});
