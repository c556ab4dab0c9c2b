// Sends expensive requests one after the other from several connections, while it is told to, as fast as it is let.
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { giveWay } from '@roster/runtime';
import { placeOf, prepare, soon } from './exchange.ts';
import { type Genome, type Wire, wireOf } from './genome.ts';
import type { Answers, LoudSpec, Order, Report } from './loud.ts';
import { createSender, type Reply } from './send.ts';
import type { Tokens } from './term.ts';

/** It may have what the system leaves over: it stands for machines of others. */
giveWay({ priority: constants.priority.PRIORITY_LOW });

const connections = 16;

const tell = (report: Report): void => void process.send?.(report);

interface Prepared {
  genome: Genome;
  /** Large ones are written once. */
  wire(): Wire;
}

const preparedOf = (genome: Genome, tokens: Tokens): Prepared => {
  const write = (): Wire => wireOf(genome, placeOf(genome.operation), { ...tokens, t: '0', soon: soon() });
  if (genome.road) return { genome, wire: write };
  const wire = write();
  return { genome, wire: () => wire };
};

const state = { isLoud: false, isOver: false };

const restMs = ({ status, headers }: Reply): number => {
  if (status === 0) return 50;
  return status === 429 || status === 503 ? Math.min(1, Number(headers['retry-after'] ?? 1)) * 1_000 : 0;
};

const shout = async (target: LoudSpec['target'], genomes: readonly Genome[]): Promise<void> => {
  const sender = createSender(target);
  const requests: Prepared[] = [];
  const made = new Set<string>();
  for (const [i, genome] of genomes.entries()) {
    const { tokens } = await prepare(sender, genome, { n: `loud${i}` }, made);
    requests.push(preparedOf(genome, tokens));
  }
  tell('prepared');
  const answers: Answers = {};
  const work = async (own: number): Promise<void> => {
    for (let n = own; !state.isOver; n++) {
      const next = requests[n % requests.length];
      if (!state.isLoud || !next) {
        await sleep(20);
        continue;
      }
      const { road, senders = 1, heldBack } = next.genome;
      const wire = next.wire();
      const headers = { ...wire.headers };
      if (headers['idempotency-key'] !== undefined) headers['idempotency-key'] = `loud-${own}-${n}`;
      // On a road of messaging it is the number that counts.
      const times = Array.from({ length: road ? senders : 1 });
      const replies = await Promise.all(times.map(() => sender.send({ ...wire, headers }, heldBack)));
      for (const { status } of replies) answers[status] = (answers[status] ?? 0) + 1;
      await sleep(Math.max(...replies.map(restMs)));
    }
  };
  void Promise.all(Array.from({ length: connections }, (_, own) => work(own)));
  while (!state.isOver) await sleep(20);
  tell({ answers });
  setTimeout(() => process.exit(0), 100);
};

process.on('message', (order: Order) => {
  if (order === 'go') state.isLoud = true;
  else if (order === 'pause') state.isLoud = false;
  else if (order === 'end') state.isOver = true;
  else void shout(order.spec.target, order.spec.genomes);
});
process.on('disconnect', () => process.exit(0));
