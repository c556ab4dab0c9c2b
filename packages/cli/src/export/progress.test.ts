import { createProgress } from '../progress.ts';
import { nothingYet, tallyWords } from './tally.ts';

const worldOf = (isTty: boolean) => {
  const world = { text: '', ms: 1_000_000 };
  const progress = createProgress({
    write(text) {
      world.text += text;
    },
    isTty,
    columns: 120,
    now: () => world.ms,
  });
  return { world, progress };
};
const aTally = (people: number) => () =>
  tallyWords({ ...nothingYet(), people, events: 1500, purchases: 500 });

describe('the progress of an export', () => {
  it('is a bar on a terminal, with the time that is left', () => {
    const { world, progress } = worldOf(true);
    progress.show(0, aTally(0));
    world.ms += 10_000;
    world.text = '';
    progress.show(0.25, aTally(1250));
    expect(world.text).toBe(
      '\r\u001b[K[######..................] 25 %  1,250 people  2,000 occurrences  eta 0:30',
    );
    world.text = '';
    world.ms += 50;
    progress.show(0.25, aTally(1251));
    expect(world.text).toBe('');
    progress.end();
    expect(world.text).toBe('\r\u001b[K');
  });

  it('counts the time that is left from where it went on', () => {
    const { world, progress } = worldOf(true);
    progress.show(0.5, aTally(5000));
    world.ms += 10_000;
    progress.show(0.75, aTally(7500));
    expect(world.text).toContain('75 %');
    expect(world.text.trimEnd().endsWith('eta 0:10')).toBe(true);
  });

  it('is a line now and then elsewhere, without a share when the people could not be counted', () => {
    const { world, progress } = worldOf(false);
    progress.show(undefined, aTally(1));
    expect(world.text).toBe('');
    world.ms += 10_000;
    progress.show(undefined, aTally(2));
    progress.note('a note');
    progress.end();
    expect(world.text).toBe('2 people  2,000 occurrences\na note\n');
  });
});
