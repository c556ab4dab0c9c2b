import { useStore } from '@roster/testkit';
import { createSettingsOf } from './settings-of.ts';

const store = useStore();

/** Counts the questions, each of which waits for its answer while it is held. */
const counting = () => {
  const { get } = store.workspaces;
  const state = { questions: 0, hold: Promise.resolve() };
  const counted: typeof get = async (id) => {
    state.questions += 1;
    await state.hold;
    return get(id);
  };
  return { state, records: { get: counted } };
};

const nameIn = (stored?: { id: string; name?: string }): string | undefined => stored?.name;
const named = (name: string): Promise<void> => store.workspaces.put({ id: 'w', name } as { id: string });

let now = 0;
beforeEach(() => {
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void jest.restoreAllMocks());

describe('the settings of a workspace', () => {
  it('are one question, however many ask at once', async () => {
    await named('one');
    const { state, records } = counting();
    const settingsOf = createSettingsOf(records, nameIn);
    const all = await Promise.all(Array.from({ length: 100 }, () => settingsOf('w')));
    expect([new Set(all), state.questions]).toEqual([new Set(['one']), 1]);
  });

  it('are read again before they are too old, and nobody waits', async () => {
    await named('one');
    const { state, records } = counting();
    const settingsOf = createSettingsOf(records, nameIn, 5_000);
    await settingsOf('w');
    await named('two');
    now += 2_000;
    expect([settingsOf('w'), state.questions]).toEqual(['one', 1]);
    now += 1_000;
    expect([settingsOf('w'), settingsOf('w'), state.questions]).toEqual(['one', 'one', 2]);
    // The question that is under way.
    now += 3_000;
    expect(await settingsOf('w')).toBe('two');
    expect(state.questions).toBe(2);
  });

  it('are as old as their question, not as its answer', async () => {
    await named('one');
    const { state, records } = counting();
    const settingsOf = createSettingsOf(records, nameIn, 5_000);
    const asked = settingsOf('w');
    now += 6_000;
    expect(await asked).toBe('one');
    await named('two');
    expect(await settingsOf('w')).toBe('two');
    expect(state.questions).toBe(2);
  });

  it('are asked for again after a failure, which only those hear who can not do without', async () => {
    await named('one');
    const { state, records } = counting();
    const settingsOf = createSettingsOf(records, nameIn, 5_000);
    const fail = (): void => {
      state.hold = Promise.reject(new Error('away'));
      state.hold.catch(() => {});
    };
    fail();
    await expect(settingsOf('w')).rejects.toThrow('away');
    state.hold = Promise.resolve();
    expect(await settingsOf('w')).toBe('one');
    fail();
    now += 4_000;
    expect(settingsOf('w')).toBe('one');
    now += 1_000;
    await expect(settingsOf('w')).rejects.toThrow('away');
  });
});
