import type { Fault, Findings } from './fault.ts';
import { verdictOf } from './report.ts';
import { tryBoth } from './tries.ts';

const findings = (...broken: string[]): Findings => ({ figures: {}, broken });
const slow = findings('applied within 505 ms, not 450');
const lost = findings('applied within 505 ms, not 450', '3 events are lost');
const fine = findings();

/** Each run of the fault, and of its control, sees the next of these. */
const play = async (own: Findings[], controls: Findings[], timing?: RegExp, controlled = true) => {
  const next = (left: Findings[]) => async (): Promise<Findings> => {
    const found = left.shift();
    if (!found) throw new Error('one trial too many');
    return found;
  };
  const fault: Fault = {
    name: 'example',
    title: 'nothing is lost, and nobody waits',
    ...(timing && { timing }),
    run: next(own),
    control: { without: 'marks', breaks: /are lost/, run: next(controls) },
  };
  const said: string[] = [];
  const result = await tryBoth(fault, {
    trial: (run) => run(undefined as never),
    say: (line) => said.push(line),
    controlled,
  });
  return { verdict: verdictOf({ ...result, fault, seconds: 1 }), result, said, left: own.length };
};

const timing = /^applied within/;

describe('how often a fault is tried', () => {
  it('once when it holds', async () =>
    expect(await play([fine], [lost], timing)).toMatchObject({ verdict: 'held', left: 0 }));

  it('again when it was only slow, and that is told', async () => {
    const { verdict, result, said } = await play([slow, fine], [lost], timing);
    expect(verdict).toBe('held');
    expect(result.slow).toEqual(slow.broken);
    expect(said[0]).toContain('505 ms');
  });

  it('is broken when it is slow each time', async () =>
    expect(await play([slow, slow, slow], [lost], timing)).toMatchObject({ verdict: 'BROKEN', left: 0 }));

  it('is broken at once when something else broke besides', async () =>
    expect(await play([lost, fine], [lost], timing)).toMatchObject({ verdict: 'BROKEN', left: 1 }));

  it('is broken at once when it does not judge time', async () =>
    expect(await play([slow, fine], [lost])).toMatchObject({ verdict: 'BROKEN', left: 1 }));

  it('has no control where nobody asks for it', async () => {
    expect(await play([fine], [], undefined, false)).toMatchObject({ verdict: 'held' });
    expect(await play([lost], [], undefined, false)).toMatchObject({ verdict: 'BROKEN' });
  });

  it('has three controls, but one only after it was slow itself', async () => {
    expect((await play([fine], [fine, fine, lost], timing)).verdict).toBe('held');
    expect((await play([slow, fine], [fine, lost], timing)).verdict).toBe('INVALID');
  });
});
