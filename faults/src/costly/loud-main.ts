// Sends expensive requests one after the other from several connections, while it is told to, as fast as it is let.
import { setTimeout as sleep } from 'node:timers/promises';
import { placeOf, prepare } from './exchange.ts';
import { type Genome, type Wire, wireOf } from './genome.ts';
import type { Answers, LoudSpec, Order, Report } from './loud.ts';
import { createSender, type Reply } from './send.ts';

const connections = 16;

const tell = (report: Report): void => void process.send?.(report);

interface Prepared {
  wire: Wire;
  heldBack: boolean;
}

const state = { isLoud: false, isOver: false };

const restMs = ({ status, headers }: Reply): number => {
  if (status === 0) return 50;
  return status === 429 || status === 503 ? Math.min(1, Number(headers['retry-after'] ?? 1)) * 1_000 : 0;
};

const shout = async (target: LoudSpec['target'], genomes: readonly Genome[]): Promise<void> => {
  const sender = createSender(target);
  const requests: Prepared[] = [];
  for (const [i, genome] of genomes.entries()) {
    const { tokens } = await prepare(sender, genome, `loud${i}`);
    requests.push({
      wire: wireOf(genome, placeOf(genome.operation), { ...tokens, t: '0' }),
      heldBack: genome.heldBack ?? false,
    });
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
      const headers = { ...next.wire.headers };
      if (headers['idempotency-key'] !== undefined) headers['idempotency-key'] = `loud-${own}-${n}`;
      const reply = await sender.send({ ...next.wire, headers }, { heldBack: next.heldBack });
      answers[reply.status] = (answers[reply.status] ?? 0) + 1;
      await sleep(restMs(reply));
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
