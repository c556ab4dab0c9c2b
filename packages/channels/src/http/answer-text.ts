/** So much of an answer is read; the rest is not waited for. */
const mostBytes = 16 * 1024;

/** The text of an answer, up to the bound. */
export const createAnswerText = () => {
  const parts: Buffer[] = [];
  let bytes = 0;
  return {
    /** Whether more is wanted. */
    add(chunk: Buffer): boolean {
      if (bytes < mostBytes) parts.push(chunk);
      bytes += chunk.length;
      return bytes <= mostBytes;
    },
    text: (): string => Buffer.concat(parts).subarray(0, mostBytes).toString(),
  };
};
