/** Joins the pieces of a body. */

const none = Buffer.alloc(0);

/** The bytes that have come, with room for as many as were announced; a body in one piece is not copied. */
export const createCollector = (announced: number) => {
  let whole: Buffer | undefined;
  let only: Buffer | undefined;
  let size = 0;
  const room = (bytes: number): Buffer => {
    const larger = Buffer.allocUnsafeSlow(bytes);
    (whole?.subarray(0, size) ?? only ?? none).copy(larger);
    whole = larger;
    return larger;
  };
  return {
    add(chunk: Buffer): void {
      if (size === 0) only = chunk;
      else chunk.copy(whole ?? room(announced), size);
      size += chunk.length;
    },
    /** Memory that is not written to is not taken yet. */
    grow: room,
    size: () => size,
    bytes: () => whole?.subarray(0, size) ?? only ?? none,
  };
};
