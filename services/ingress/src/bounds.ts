/** The bounds on the resources of this process for the requests of one caller. */
import { createJudge, createLateJudge } from '@roster/judge';
import type { Config, Context } from '@roster/runtime';
import { createBodyReader, createDeadlines } from './body.ts';
import { openLargeBodies } from './large-bodies.ts';
import type { Limiter } from './limiter.ts';
import { createMeter, free } from './meter.ts';
import { createRooms, endlessRooms } from './rooms.ts';
import { createTurns } from './turns.ts';
import { createUnderstand } from './understand.ts';

interface Bounding extends Pick<Context<Config<'ingress'>>, 'config' | 'log'> {
  limiter: Limiter;
  unbounded: boolean;
}

/** Tests run from the sources, where there is no script to start, and use few operations. */
const isSource = import.meta.url.endsWith('.ts');

export const boundsOf = ({ config, log, limiter, unbounded }: Bounding) => {
  const deadlines = createDeadlines();
  const here = createUnderstand(
    isSource ? createLateJudge() : createJudge(),
    unbounded ? () => undefined : undefined,
  );
  const large = openLargeBodies({
    onError: (err) => log.error({ err }, 'the thread for large bodies has ended'),
  });
  const isHere = isSource || unbounded;
  if (!isHere) large.begin();
  const rooms = unbounded ? endlessRooms : createRooms(config.BODY_MEMORY_MB * 1024 * 1024);
  return {
    ...here,
    understandLarge: isHere ? here.understand : large.understand,
    rooms,
    turns: createTurns(unbounded ? Number.POSITIVE_INFINITY : undefined),
    pay: unbounded ? free : createMeter(limiter),
    readBody: createBodyReader(rooms, deadlines, unbounded ? () => Number.POSITIVE_INFINITY : undefined),
    /** Ended when the process stops. */
    parts: [deadlines, large],
  };
};
