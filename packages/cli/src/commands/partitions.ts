import { changePartitions, mostPartitions, type PartitionCounts, readPartitions } from '@roster/queue';
import { audited } from '../audited.ts';
import type { Command, Tools } from '../command.ts';
import { type Result, wrong } from '../result.ts';
import { linesOf } from '../shown.ts';

const countIn = (text: string): number => {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= mostPartitions) return count;
  throw wrong(`give a whole number from 1 to ${mostPartitions}, not "${text}"`);
};

const resultOf = (counts: PartitionCounts | undefined): Result => {
  if (!counts)
    return {
      json: {},
      text: 'there is no number yet: the first process that starts makes it (TRACK_PARTITIONS)\n',
    };
  const { written, read } = counts;
  return {
    json: counts,
    text: linesOf([
      `track has ${written} ${written === 1 ? 'partition' : 'partitions'}`,
      read > written && `it had ${read}: workers still look into the others`,
    ]),
  };
};

const partitions = async ({ io, servers }: Tools, text: string | undefined): Promise<Result> => {
  const wanted = text === undefined ? undefined : countIn(text);
  const redis = await servers.redis();
  const before = await readPartitions(redis);
  if (wanted !== undefined && wanted !== before?.written) {
    const set = { before: before?.written ?? null, after: wanted };
    const entry = { what: 'partitions.set', target: 'track', set, now: io.now() };
    await audited(await servers.store(), entry, () => changePartitions(redis, wanted));
  }
  return resultOf(await readPartitions(redis));
};

const help = `
Into how many queues the requests of track are spread: at least as many as there are track processes. Change it while everything runs:
nothing is restarted, and nothing is lost or applied out of its order. Each process hears of it within two seconds. With fewer, new requests go to
the first ones, and what waits in the others is still applied. Not while processes run that are older than 0.1.0: they know only TRACK_PARTITIONS.

Examples:
  $ roster partitions
  $ roster partitions 8`;

export const partitionsCommand: Command = {
  about: 'into how many queues the requests of track are spread',
  example: 'roster partitions 8',
  help,
  run: partitions,
};
