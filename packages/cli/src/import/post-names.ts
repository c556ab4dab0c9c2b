/** Sends further names, a few at a time, and returns the refused ones. */

import type { JsonObject } from '../json.ts';
import type { NameItem, Refusal } from './batches.ts';
import { isJudged, stop } from './lacks.ts';
import { mishapIn } from './mishap.ts';
import type { Fault } from './row.ts';
import { idempotencyKeyOf, nothingSent, type SendOptions, type Sent, sorted } from './sent.ts';
import type { Sending } from './track-client.ts';

/** The most entries of these operations. */
const most = 50;

/** An entry, and the name it is sent for. */
export interface Step {
  value: JsonObject;
  item: NameItem;
}

export interface Kind {
  path: string;
  array: string;
  until: NonNullable<Sending['until']>;
}

const portions = <Some>(all: readonly Some[]): Some[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, n) => all.slice(n * most, (n + 1) * most));

/** As a line that can be corrected and imported. */
const refusalOf = ({ kind, value, line }: NameItem, fault: Fault): Refusal => ({
  line,
  ...fault,
  row: { type: kind === 'alias' ? 'alias' : 'user', ...value },
});

/** One request. Returns the refusals. */
const post = async (
  steps: readonly Step[],
  { path, array, until }: Kind,
  place: string,
  { client, run }: SendOptions,
): Promise<Map<NameItem, Fault>> => {
  const json = JSON.stringify({ [array]: steps.map(({ value }) => value) });
  const answer = await client.send({ path, json, idempotencyKey: idempotencyKeyOf(json, place, run), until });
  // An ignored entry has no effect either: the name is not there.
  const faults = steps.flatMap(({ item }, index): [NameItem, Fault][] => {
    const mishap = mishapIn(answer, array, index);
    return mishap ? [[item, { code: mishap.code, sentence: mishap.sentence }]] : [];
  });
  if (answer.status < 300 || faults.length === steps.length) return new Map(faults);
  if (!isJudged(answer)) throw stop(answer, steps.length);
  return new Map(steps.map(({ item }) => [item, { code: 'BODY_REFUSED', sentence: answer.message }]));
};

/** One request after the other: each may need the effect of the one before. */
export const postAll = async (
  steps: readonly Step[],
  kind: Kind,
  place: string,
  options: SendOptions,
): Promise<{ requests: number; faults: Map<NameItem, Fault> }> => {
  const all = portions(steps);
  const faults = new Map<NameItem, Fault>();
  for (const [n, some] of all.entries())
    for (const [item, fault] of await post(some, kind, `${place}.${n}`, options))
      if (!faults.has(item)) faults.set(item, fault);
  return { requests: all.length, faults };
};

export const sentOf = (items: readonly NameItem[], requests: number, faults: Map<NameItem, Fault>): Sent => ({
  ...nothingSent,
  requests,
  accepted: items.length - faults.size,
  refusals: sorted([...faults].map(([item, fault]) => refusalOf(item, fault))),
});
