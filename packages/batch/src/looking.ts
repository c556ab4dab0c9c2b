/** Looks for what is due until it is stopped: four times a second unless said otherwise, and at once when it is woken. */

const usualEveryMs = 250;

interface LookingOptions {
  look(isStopped: () => boolean): Promise<void>;
  onError(error: unknown): void;
  everyMs?: number;
  /** What is under way: `stop` waits for its end. */
  under?: readonly unknown[];
}

export const startLooking = ({ look, onError, under = [], everyMs = usualEveryMs }: LookingOptions) => {
  let isStopped = false;
  let wake = (): void => {};

  const loop = async (): Promise<void> => {
    while (!isStopped) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, everyMs).unref();
      });
      await look(() => isStopped).catch(onError);
      await woken;
    }
  };

  const looping = loop();
  return {
    wake: (): void => wake(),
    /** Nothing new begins; what is under way ends within its time limits. */
    async stop(): Promise<void> {
      isStopped = true;
      wake();
      await looping;
      while (under.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
};
