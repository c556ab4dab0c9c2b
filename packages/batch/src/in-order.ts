import type { AcceptedRequest } from '@roster/contract';

/** Each request once, in the order of stamps, also when the queue delivers a request twice or late. */
export const inOrder = (requests: readonly AcceptedRequest[]): AcceptedRequest[] => {
  const once = new Map<string, AcceptedRequest>();
  for (const request of requests.toSorted((a, b) => a.at - b.at)) {
    if (!once.has(request.id)) once.set(request.id, request);
  }
  return [...once.values()];
};
