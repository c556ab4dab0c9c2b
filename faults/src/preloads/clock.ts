// The clock of this process is off by the milliseconds that stand in the file CLOCK_FILE, which may change while it runs.
import { readFileSync } from 'node:fs';

const lookEveryMs = 50;
const file = process.env.CLOCK_FILE ?? '';
const { now } = Date;

let off = 0;
const look = (): void => {
  try {
    off = Number(readFileSync(file, 'utf8'));
  } catch {
    // There is no such file yet: the clock is right.
  }
};
look();
setInterval(look, lookEveryMs).unref();

const shiftedNow = (): number => now() + off;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [shiftedNow()] : args, made),
  apply: () => new Date().toString(),
  get: (target, key) => (key === 'now' ? shiftedNow : Reflect.get(target, key)),
});
