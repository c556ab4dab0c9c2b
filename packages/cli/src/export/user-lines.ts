/** A person as lines that `roster import` takes, none of them larger than a request may be. Pure. */
import { stringifyExact } from '@roster/contract';
import { type ExportedField, exportedFields, isListName, type Seen } from '@roster/profile';
import { membersOf, type Name } from './lines.ts';

/** What follows as occurrences, each by itself. */
const summedUp: ReadonlySet<string> = new Set(['custom_events', 'purchases', 'total_revenue']);

const shownFields: readonly [string, ExportedField][] = Object.entries<ExportedField>(exportedFields).filter(
  ([name]) => !summedUp.has(name),
);

/** Of JSON text: a fraction of what a request may hold. */
const mostInLine = 1024 * 1024;

/** So many items of a list does an entry of a request take. */
const mostItems = 500;

/** JSON text that is not cut: a member of the line, or what stands inside the member that is called `of`. */
interface Part {
  of: string;
  json: string;
}

const itself = '';
const attributes = 'custom_attributes';

const jsonMembers = (values: object): string[] =>
  membersOf(values).map(([name, json]) => `${JSON.stringify(name)}:${json}`);

const partsOf = ([name, value]: [string, unknown]): Part[] => {
  if (name === attributes) return jsonMembers((value ?? {}) as object).map((json) => ({ of: name, json }));
  if (isListName(name) && Array.isArray(value))
    return value.map((item: unknown) => ({ of: name, json: stringifyExact(item) }));
  return jsonMembers({ [name]: value }).map((json) => ({ of: itself, json }));
};

/** As many as fit, line after line. */
const packed = (parts: readonly Part[]): Part[][] => {
  const all: Part[][] = [];
  let counts = new Map<string, number>();
  let room = 0;
  for (const part of parts) {
    const bytes = Buffer.byteLength(part.json);
    const count = counts.get(part.of) ?? 0;
    if (room < bytes || (isListName(part.of) && count === mostItems)) {
      all.push([]);
      counts = new Map();
      room = Math.max(mostInLine, bytes);
    }
    all.at(-1)?.push(part);
    counts.set(part.of, (counts.get(part.of) ?? 0) + 1);
    room -= bytes;
  }
  return all;
};

const inside = (name: string, all: readonly string[]): string =>
  `${JSON.stringify(name)}:${name === attributes ? `{${all.join(',')}}` : `[${all.join(',')}]`}`;

const lineOf = (head: readonly string[], parts: readonly Part[]): string => {
  const groups = new Map<string, string[]>();
  for (const { of, json } of parts) {
    const known = groups.get(of);
    if (known) known.push(json);
    else groups.set(of, [json]);
  }
  const members = [...groups].flatMap(([of, all]) => (of === itself ? all : [inside(of, all)]));
  return `{${['"type":"user"', ...head, ...members].join(',')}}\n`;
};

const nameIn = (name: Name | undefined): string[] => {
  if (!name || !('user_alias' in name)) return jsonMembers(name ?? {});
  return jsonMembers({ user_aliases: [name.user_alias] });
};

/**
 * One line; of somebody with very much several, the further ones with nothing but more attributes and items of lists. `formerIds` is
 * what no exported user shows: so that links and systems that still have an old id lead to the person elsewhere too.
 */
export const userLines = (
  seen: Seen,
  name: Name | undefined,
  formerIds: readonly string[] = [],
): string[] => {
  const parts = shownFields.flatMap(([field, { shows }]) => partsOf([field, shows(seen)]));
  // Consent and email belong together (exported-user.ts of the import): what is not cut comes first.
  const own = parts.filter(({ of }) => of === itself);
  const former = jsonMembers(formerIds.length > 0 ? { former_external_ids: formerIds } : {});
  const [first = [], ...more] = packed([
    { of: itself, json: own.map(({ json }) => json).join(',') },
    ...parts.filter(({ of }) => of !== itself),
  ]);
  return [lineOf(former, first), ...more.map((some) => lineOf(nameIn(name), some))];
};
