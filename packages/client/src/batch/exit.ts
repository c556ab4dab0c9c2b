/** Where there is a process, batches are flushed when it has nothing else to do. One listener for all of them. */
type Flush = () => Promise<void>;

interface Process {
  on?(event: 'beforeExit', listener: () => void): unknown;
}

const open = new Set<Flush>();
let isListening = false;

const listen = (): void => {
  if (isListening) return;
  isListening = true;
  const { process } = globalThis as { process?: Process };
  process?.on?.('beforeExit', () => {
    for (const flush of open) void flush();
  });
};

export const whenExiting = (flush: Flush): void => {
  listen();
  open.add(flush);
};

export const leaveExit = (flush: Flush): void => {
  open.delete(flush);
};
