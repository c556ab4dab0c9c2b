/** Times in queries. */
import { parseTime } from '@roster/contract';

/** In a query a `+` that is not escaped is a space. */
const withZone = (sent: string): string => sent.replace(/ (\d\d:?\d\d)$/, '+$1');

/** In milliseconds; `undefined` when it is no time. */
export const queryTime = (sent: string): number | undefined => parseTime(sent) ?? parseTime(withZone(sent));
