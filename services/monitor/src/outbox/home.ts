/** `/`: what there is to look at, and how much is stored. */
import { operatorPage, operatorPolicy } from '@roster/runtime';
import type { Store } from '@roster/store';
import type { RequestHandler } from 'express';
import type { Viewer } from '../viewer.ts';

/** From the metadata of the collections: no document is read. */
const countsOf = async ({ profiles, messages }: Store): Promise<Record<string, number>> => ({
  People: await profiles.estimatedDocumentCount(),
  'Messages, sent or planned': await messages.schedules.estimatedDocumentCount(),
  'Recipients of messages': await messages.sends.estimatedDocumentCount(),
});

const nothing = (): Record<string, number> => ({});

const line = (name: string, text: string): string => `<dt>${name}</dt><dd>${text}</dd>`;

const linked = [
  line('Board', '<a href="/board">board</a>: requests that wait, and those that failed'),
  line('Outbox', '<a href="/outbox">outbox</a>: messages, also those that were stored instead of being sent'),
];

/** MongoDB may be away: then nothing is counted. What a deployment holds is for its operator. */
export const createHome =
  (openStore: () => Promise<Store>): RequestHandler =>
  async (_request, response) => {
    const { isOperator } = response.locals.viewer as Viewer;
    const counts = isOperator ? await openStore().then(countsOf).catch(nothing) : nothing();
    const counted = Object.entries(counts).map(([name, count]) => line(name, count.toLocaleString('en-US')));
    response.set('Content-Security-Policy', operatorPolicy).type('html');
    response.send(
      operatorPage('Roster', `<div class="card"><dl>${[...linked, ...counted].join('\n')}</dl></div>`),
    );
  };
