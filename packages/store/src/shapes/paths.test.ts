/** The compiler makes these tests: it reports an error that is expected and does not come. */
import type { IdentityDocument, SweepDocument } from './documents.ts';
import {
  type Definition,
  type DocumentOf,
  list,
  number,
  numberOf,
  optional,
  type Path,
  part,
  partOf,
  text,
  textOf,
} from './paths.ts';

const identity: Definition<IdentityDocument> = {
  _id: text,
  profile: text,
  at: number,
  moved: optional(number),
};

const { moved: _moved, ...withoutMoved } = identity;

describe('a definition is refused by the compiler', () => {
  it('with a member that the type does not have', () => {
    // @ts-expect-error The type has no such member.
    const definition: Definition<IdentityDocument> = { ...identity, other: text };
    expect(definition).toHaveProperty('other');
  });

  it('without a member of the type, even an optional one', () => {
    // @ts-expect-error `moved` is missing.
    const definition: Definition<IdentityDocument> = withoutMoved;
    expect(definition).not.toHaveProperty('moved');
  });

  it('with a member of another type', () => {
    const path: Path<number> = number;
    // @ts-expect-error It is a text.
    const definition: Definition<IdentityDocument> = { ...identity, profile: path };
    // @ts-expect-error It is a list of texts.
    const items: Definition<Pick<SweepDocument, 'keys'>> = { keys: list(number) };
    expect([definition.profile, items.keys]).toHaveLength(2);
  });

  it('with a member that may be absent in one of the two only', () => {
    // @ts-expect-error It may be absent.
    const required: Definition<IdentityDocument> = { ...identity, moved: number };
    // @ts-expect-error It is always there.
    const absent: Definition<IdentityDocument> = { ...identity, at: optional(number) };
    expect([required.moved, absent.at]).toHaveLength(2);
  });

  it('with a value too many or too few', () => {
    // @ts-expect-error 2 is missing.
    const few: Path<SweepDocument['round']> = numberOf(1);
    // @ts-expect-error 3 is no value of it.
    const many: Path<SweepDocument['round']> = numberOf(1, 2, 3);
    const one: Path<'a'> = textOf('a');
    // @ts-expect-error Any text fits there.
    const any: Path<string> = one;
    expect([few, many, any]).toHaveLength(3);
  });

  it('with a part that lacks an optional member', () => {
    // @ts-expect-error `n` is missing.
    const path: Path<{ at: number; n?: number }> = partOf({ at: number });
    expect(path.members).toBeDefined();
  });
});

describe('a document of a shape is refused by the compiler', () => {
  const shape = {
    _id: text,
    moved: optional(number),
    round: numberOf(1, 2),
    of: list(part({ n: optional(text) })),
  };
  const document: DocumentOf<typeof shape> = { _id: 'a', round: 1, of: [{}] };
  const { _id, ...withoutId } = document;

  it('without a member that is always there', () => {
    // @ts-expect-error `_id` is missing.
    const other: DocumentOf<typeof shape> = withoutId;
    expect(other).toEqual({ round: 1, of: [{}] });
  });

  it('with another value, or a member that the shape does not have', () => {
    // @ts-expect-error 3 is no value of it.
    const value: DocumentOf<typeof shape> = { ...document, round: 3 };
    // @ts-expect-error It may be absent, but not undefined.
    const absent: DocumentOf<typeof shape> = { ...document, moved: undefined };
    // @ts-expect-error The part has no such member.
    const member: DocumentOf<typeof shape> = { ...document, of: [{ other: 'a' }] };
    expect([value, absent, member]).toHaveLength(3);
  });
});
