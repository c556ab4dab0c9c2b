/** The operation that a request means, as the client calls it. SCIM has other credentials. Pure. */
import { routeOf } from '@roster/contract';

export interface Match {
  id: string;
  params: string[];
}

export const matchOf = (method: string, path: string): Match | undefined => {
  const found = routeOf(method, path);
  if (!found || found.operation.auth === 'scim') return undefined;
  return { id: found.operation.id, params: Object.values(found.params) };
};
