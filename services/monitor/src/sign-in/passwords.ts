/** Which passwords are good enough: length and how hard they are to guess. A rule about characters makes people choose worse ones. */

const fewest = 12;
const most = 200;

/** What makes it hard to guess stands in its beginning, or not at all; longer ones take longer to judge. */
const judged = 64;

/** Of 0 to 4: 10^8 guesses are not enough to find it. */
const goodScore = 3;

/** Loaded by who chooses a password, and nobody else: the lists of common ones need 20 MB. */
const openJudge = async () => {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: judged });
};

let judge: ReturnType<typeof openJudge> | undefined;

/** What is wrong with a password. `own`: words that others try first with this user, such as their name. */
export const passwordProblem = async (
  password: string,
  own: readonly string[],
): Promise<string | undefined> => {
  if (password.length < fewest) return `The password needs ${fewest} characters at least.`;
  if (password.length > most) return `The password may have ${most} characters at most.`;
  judge ??= openJudge();
  const words = own
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((text) => text.length > 2);
  const { score } = (await judge).check(password.slice(0, judged), ['roster', ...words]);
  return score < goodScore
    ? 'This password is among the first that others would try. Take several words that do not belong together.'
    : undefined;
};
