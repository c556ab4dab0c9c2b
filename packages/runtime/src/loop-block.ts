/** How long one piece of work has kept the event loop from everything else. */

/** Milliseconds since some start: of the clock, and of the CPU time of this process. */
export interface Clocks {
  wall(): number;
  cpu(): number;
}

const everyMs = 10;

const clocks: Clocks = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/**
 * A timer that fires late was kept waiting. It counts no more than the CPU time that the process used meanwhile: on a busy machine a
 * process waits for its turn, and that is not its own block.
 */
export const watchLoop = ({ wall, cpu }: Clocks = clocks) => {
  let longest = 0;
  let last = { wall: wall(), cpu: cpu() };
  const look = (): void => {
    const now = { wall: wall(), cpu: cpu() };
    longest = Math.max(longest, Math.min(now.wall - last.wall - everyMs, now.cpu - last.cpu));
    last = now;
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    /** Milliseconds of the longest block since the last call. */
    take(): number {
      look();
      const taken = longest;
      longest = 0;
      return taken;
    },
    close: () => clearInterval(timer),
  };
};
