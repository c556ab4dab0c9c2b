/** Moments as `2026-01-31T23:59:59.123456Z`: texts, because a Date has milliseconds only. */
const parts = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,9})?Z$/;

const earliest = '0001-01-01T00:00:00Z';

/** The moment so many whole seconds earlier, with the same fraction. */
export const secondsBefore = (moment: string, seconds: number): string => {
  const [, whole, fraction = ''] = parts.exec(moment) ?? [];
  if (!whole) throw new Error('no moment in this cursor');
  const earlier = Date.parse(`${whole}Z`) - Math.round(seconds) * 1_000;
  if (earlier < Date.parse(earliest)) return earliest;
  return `${new Date(earlier).toISOString().slice(0, 19)}${fraction}Z`;
};
