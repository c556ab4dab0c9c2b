import type { Bench } from '../bench.ts';
import { audience } from './audience.ts';
import { backlog } from './backlog.ts';
import { bigProfile } from './big-profile.ts';
import { broadcast } from './broadcast.ts';
import { client } from './client.ts';
import { compare } from './compare.ts';
import { contentRender } from './content-render.ts';
import { eventCost } from './event-cost.ts';
import { exporting } from './export.ts';
import { growth } from './growth.ts';
import { identity } from './identity.ts';
import { identityMerge } from './identity-merge.ts';
import { ingress } from './ingress.ts';
import { pageOpened } from './page-opened.ts';
import { people } from './people.ts';
import { pushes } from './pushes.ts';
import { receipt } from './receipt.ts';
import { sends } from './sends.ts';
import { sync } from './sync.ts';
import { attributes, throughput } from './throughput.ts';

/** In the order of the table; the backlog last, because it leaves a million events behind. */
export const benches: Bench[] = [
  receipt,
  ingress,
  eventCost,
  throughput,
  attributes,
  bigProfile,
  exporting,
  identity,
  identityMerge,
  contentRender,
  pageOpened,
  client,
  compare,
  audience,
  sends,
  pushes,
  sync,
  backlog,
];

/** These take long: only when they are named. */
export const long: Bench[] = [growth, people, broadcast];

export const benchNamed = (wanted: string): Bench => {
  const found = [...benches, ...long].find(({ name }) => name === wanted);
  if (!found) throw new Error(`there is no bench named ${wanted}`);
  return found;
};
