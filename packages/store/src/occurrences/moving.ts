/** The bounds of a transaction that moves rows. */

export const stepLimitMs = 60_000;

export const bytesInStep = 4 * 1024 * 1024;

/** Of a row without its properties, with room to spare. */
const bytesOfRow = 500;

/** Rows until they have so many bytes. */
export const rowsUpTo = async <Row extends { properties?: string }>(
  rows: AsyncIterable<Row>,
  most: number,
): Promise<{ rows: Row[]; isCut: boolean }> => {
  const taken: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    taken.push(row);
    bytes += bytesOfRow + (row.properties?.length ?? 0);
    if (bytes >= most) return { rows: taken, isCut: true };
  }
  return { rows: taken, isCut: false };
};
