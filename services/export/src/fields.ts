/** The fields that can be exported, as they are asked for (the table itself: exported.ts of the profile package). */
import type { ExportedUser } from '@roster/contract';
import { type ExportedField, type ExportNeed, exportedFields, type Seen } from '@roster/profile';

type Exportable = keyof ExportedUser;

/** Every field of the interface has a rule. */
const fields: { readonly [Name in Exportable]-?: ExportedField } = exportedFields;

/** The names were judged when the request was accepted. */
const isExportable = (name: string): name is Exportable => Object.hasOwn(fields, name);

const asked = (names: readonly string[]): [name: string, field: ExportedField][] =>
  [...new Set(names)].filter(isExportable).map((name) => [name, fields[name]]);

/** What a request has to read, and how it shows it. */
export interface View {
  projection: Record<string, 1>;
  needs: ReadonlySet<ExportNeed>;
  /** Nothing is there that is missing: callers read that as null or false. */
  show(seen: Seen): [name: string, value: unknown][];
}

export const viewOf = (names: readonly string[]): View => {
  const chosen = asked(names);
  const reads = chosen.flatMap(([, field]) => field.reads);
  return {
    projection: Object.fromEntries(['_id', ...reads].map((place) => [place, 1 as const])),
    needs: new Set(chosen.flatMap(([, { needs }]) => needs ?? [])),
    show: (seen) =>
      chosen
        .map(([name, field]): [string, unknown] => [name, field.shows(seen)])
        .filter(([, value]) => value !== undefined),
  };
};
