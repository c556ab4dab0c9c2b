/** The compiler makes these tests: it reports an error that is expected and does not come. */
import type { Consent, Profile, Value } from '@roster/profile';
import type { DocumentIn } from './collection.ts';
import {
  type DocumentOf,
  list,
  mark,
  mixed,
  nullable,
  number,
  numberOf,
  optional,
  part,
  text,
  textOf,
} from './members.ts';
import type { ContactDocument, profiles } from './people.ts';

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

type NameIn<T> = T extends unknown ? keyof T & string : never;
type MemberOf<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : undefined) : never;

/** A type in one form, however it was written: of a union of documents, the members of all of them; what may be absent is `undefined`. */
type Form<T> = FormOf<NonNullable<T>> | Extract<T, null | undefined>;

type FormOf<T> =
  Same<T, NonNullable<Value>> extends true
    ? 'a value'
    : [T] extends [readonly (infer Item)[]]
      ? [Form<Item>]
      : [T] extends [Date | Uint8Array]
        ? T
        : [T] extends [object]
          ? string extends keyof T
            ? { [name: string]: Form<T[string & keyof T]> }
            : { [Name in NameIn<T>]: Form<MemberOf<T, Name>> }
          : T;

/** `true` where a definition says exactly what a type of another package says. */
type Fits<Definition, T> = Same<Form<DocumentOf<Definition>>, Form<T>>;

const fits = <T extends true>(fit: T): void => expect(fit).toBe(true);

interface Example {
  _id: string;
  round: 1 | 2;
  word: 'a' | 'b';
  at: number;
  moved?: number;
  said: string | null;
  value: Value;
  done?: true;
  names: string[];
  parts: ({ n: number; a: string } | { n: number; b?: string[] })[];
}

const example = {
  _id: text,
  round: numberOf(1, 2),
  word: textOf('a', 'b'),
  at: number,
  moved: optional(number),
  said: nullable(text),
  value: mixed<Value>(),
  done: optional(mark),
  names: list(text),
  parts: list(part({ n: number, a: optional(text), b: optional(list(text)) })),
};

const { moved: _moved, ...withoutMoved } = example;

describe('the type of another package', () => {
  it('is what its collection stores', () => {
    fits<Same<Form<DocumentIn<typeof profiles>>, Form<Profile>>>(true);
    fits<Same<Form<ContactDocument['consents']>, Form<Consent[]>>>(true);
  });

  it('is told from a definition with a member too many or too few, or of another type', () => {
    const none = { ...example, other: text };
    const number_ = { ...example, _id: number };
    const items = { ...example, names: list(number) };
    const parts = { ...example, parts: list(part({ n: number, a: optional(text) })) };
    fits<Fits<typeof example, Example>>(true);
    // @ts-expect-error The type has no such member.
    fits<Fits<typeof none, Example>>(true);
    // @ts-expect-error `moved` is missing.
    fits<Fits<typeof withoutMoved, Example>>(true);
    // @ts-expect-error It is a text.
    fits<Fits<typeof number_, Example>>(true);
    // @ts-expect-error It is a list of texts.
    fits<Fits<typeof items, Example>>(true);
    // @ts-expect-error `b` is missing.
    fits<Fits<typeof parts, Example>>(true);
  });

  it('is told from a definition in which another member may be absent or null', () => {
    const required = { ...example, moved: number };
    const absent = { ...example, at: optional(number) };
    const never = { ...example, said: text };
    const flag = { ...example, done: mark };
    // @ts-expect-error It may be absent.
    fits<Fits<typeof required, Example>>(true);
    // @ts-expect-error It is always there.
    fits<Fits<typeof absent, Example>>(true);
    // @ts-expect-error It may be null.
    fits<Fits<typeof never, Example>>(true);
    // @ts-expect-error It may be absent.
    fits<Fits<typeof flag, Example>>(true);
  });

  it('is told from a definition with a value too many or too few', () => {
    const few = { ...example, round: numberOf(1) };
    const many = { ...example, round: numberOf(1, 2, 3) };
    const any = { ...example, word: text };
    // @ts-expect-error 2 is missing.
    fits<Fits<typeof few, Example>>(true);
    // @ts-expect-error 3 is no value of it.
    fits<Fits<typeof many, Example>>(true);
    // @ts-expect-error Any text fits there.
    fits<Fits<typeof any, Example>>(true);
  });
});

describe('a document is refused by the compiler', () => {
  const members = {
    _id: text,
    moved: optional(number),
    round: numberOf(1, 2),
    of: list(part({ n: optional(text) })),
  };
  const document: DocumentOf<typeof members> = { _id: 'a', round: 1, of: [{}] };
  const { _id, ...withoutId } = document;

  it('without a member that is always there', () => {
    // @ts-expect-error `_id` is missing.
    const other: DocumentOf<typeof members> = withoutId;
    expect(other).toEqual({ round: 1, of: [{}] });
  });

  it('with another value, or a member that the definition does not have', () => {
    // @ts-expect-error 3 is no value of it.
    const value: DocumentOf<typeof members> = { ...document, round: 3 };
    // @ts-expect-error It may be absent, but not undefined.
    const absent: DocumentOf<typeof members> = { ...document, moved: undefined };
    // @ts-expect-error The part has no such member.
    const member: DocumentOf<typeof members> = { ...document, of: [{ other: 'a' }] };
    expect([value, absent, member]).toHaveLength(3);
  });
});
