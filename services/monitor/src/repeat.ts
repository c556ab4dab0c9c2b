/** What is done again and again, and never twice at once. A server may be away for hours: `failed` is told whether the last time was well, so that it says so once. */
interface RepeatOptions {
  everyMs: number;
  work(wasWell: boolean): Promise<void>;
  failed(err: unknown, wasWell: boolean): void;
}

export const repeat = ({ everyMs, work, failed }: RepeatOptions) => {
  let running: Promise<boolean> | undefined;
  let isWell = true;

  const once = async (): Promise<boolean> => {
    try {
      await work(isWell);
      isWell = true;
    } catch (err) {
      failed(err, isWell);
      isWell = false;
    }
    return isWell;
  };

  /** Whether it went well. Never throws. */
  const now = (): Promise<boolean> => {
    running ??= once().finally(() => {
      running = undefined;
    });
    return running;
  };

  const timer = setInterval(() => void now(), everyMs);
  return {
    now,
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
};
