/** The description of one place in a document. */

/** The definition of a member for mongoose. It is plain data: a process that only writes does not pay for schemas. */
export interface Described {
  type: unknown;
  required?: true;
  allowNull?: false;
  default?: null | undefined;
  enum?: readonly unknown[];
  of?: Described;
  validate?(value: unknown): boolean;
}

/** The path of members of exactly this type. `carries` never has a value: it is for the compiler. */
export interface Path<T> extends Described {
  readonly carries?: (value: T) => T;
}

type NameIn<T> = T extends unknown ? keyof T & string : never;
type MemberOf<T, Name> = T extends unknown ? (Name extends keyof T ? T[Name] : undefined) : never;

/** Every member of the type; of a union, the members of all its types. */
export type Definition<T> = { readonly [Name in NameIn<T>]: Path<MemberOf<T, Name>> };
