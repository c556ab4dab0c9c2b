/** Operations as requests that the ingress has judged and accepted. */
import { type AcceptedRequest, type Operation as Endpoint, routeOf } from '@roster/contract';
import { keysNamed } from '@roster/profile';
import { accepted, demoWorkspace as ws } from '@roster/testkit';
import { callOf, type Names, ref } from '../calls.ts';
import type { Operation } from '../model.ts';
import type { Ref } from '../state.ts';

export interface Request extends AcceptedRequest {
  /** Of its worker. */
  queue: Endpoint['queue'];
  /** The place of its operation in the history. */
  place: number;
}

export const identityKeyOf = (names: Names, who: Ref): string => keysNamed(ws, [ref(names, who)])[0] ?? '';

export const requestOf = (names: Names, operation: Operation, place: number, at: number): Request => {
  const { path, body } = callOf(names, operation);
  const endpoint = routeOf('POST', path)?.operation;
  if (!endpoint) throw new Error(`${path} is no path of the interface`);
  return { ...accepted(endpoint.id, body, at), queue: endpoint.queue, place };
};
