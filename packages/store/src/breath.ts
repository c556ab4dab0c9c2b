/** Long work in short strides, so that other work gets the event loop in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Breath = () => Promise<void> | undefined;

const shortStrideMs = 5;

/** To be called after each small piece of work; nearly always there is nothing to wait for. */
export const createBreath = (strideMs = shortStrideMs): Breath => {
  let until = performance.now() + strideMs;
  const rest = async (): Promise<void> => {
    await nextTurn();
    until = performance.now() + strideMs;
  };
  return () => (performance.now() < until ? undefined : rest());
};
