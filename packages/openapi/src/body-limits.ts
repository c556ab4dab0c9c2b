/** How large bodies may be, in words: from the rows of the table. */
import type { OperationOf } from '@roster/contract';

const KB = 1024;
const MB = 1024 * KB;

const sizeOf = (bytes: number): string => (bytes % MB === 0 ? `${bytes / MB} MB` : `${bytes / KB} KB`);

/** Of one operation; an export also refuses an answer that would be too large. */
export const bodyLimitOf = ({ bodyLimit }: OperationOf<string>): string =>
  `The body is larger than ${sizeOf(bodyLimit)}.`;

/** Of all: the limit that most of them have is named last. */
export const bodyLimitsOf = (operations: readonly OperationOf<string>[]): string => {
  const paths = new Map<number, Set<string>>();
  for (const { request, bodyLimit, path } of operations)
    if (request.body) paths.set(bodyLimit, (paths.get(bodyLimit) ?? new Set()).add(path));
  const sorted = [...paths].toSorted(([, a], [, b]) => a.size - b.size);
  const usual = sorted.pop();
  const named = sorted.map(
    ([bytes, some]) => `${sizeOf(bytes)} on ${[...some].map((path) => `\`${path}\``).join(', ')}`,
  );
  const all = usual ? [...named, `${sizeOf(usual[0])} ${named.length > 0 ? 'elsewhere' : 'everywhere'}`] : [];
  return `The body is larger than ${all.join('; ')}.`;
};
