/** What a test waits for, or lets others wait for. */
export const createSignal = () => {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
};
