/** The functions of the client, typed by the table of operations. The build writes the same out for those who install the package. */
import type { AnswerOf, BodyOf, CodesOf, OperationRow, ParamsOf, QueryOf } from '@roster/contract';
import type { CallOptions } from './call-options.ts';

export type { CallOptions };

export type OperationId = OperationRow['id'];

type RowOf<Id> = Extract<OperationRow, { id: Id }>;

/** What an operation is sent: `Body<'users.track'>`. */
export type Body<Id extends OperationId> = BodyOf<RowOf<Id>>;

/** What an operation answers: `Answer<'users.track'>`. */
export type Answer<Id extends OperationId> = AnswerOf<RowOf<Id>>;

/** The errors of an operation beyond those that any may have: `Codes<'users.track'>`. */
export type Codes<Id extends OperationId> = CodesOf<RowOf<Id>>;

type BodyArgument<Row extends OperationRow> = [BodyOf<Row>] extends [never] ? [] : [body: BodyOf<Row>];

/** A number is written as text by the client. */
type Query<Row extends OperationRow> = {
  [Name in keyof QueryOf<Row>]: string extends QueryOf<Row>[Name]
    ? QueryOf<Row>[Name] | number
    : QueryOf<Row>[Name];
};

type QueryArgument<Row extends OperationRow> = [QueryOf<Row>] extends [never]
  ? []
  : Record<never, never> extends QueryOf<Row>
    ? [query?: Query<Row>]
    : [query: Query<Row>];

type Arguments<Row extends OperationRow> = [
  ...params: ParamsOf<Row>,
  ...BodyArgument<Row>,
  ...QueryArgument<Row>,
  options?: CallOptions,
];

type ListIn<Page> = {
  [Name in Exclude<keyof Page, 'schemas'>]: Page[Name] extends readonly (infer Item)[] ? Item : never;
}[Exclude<keyof Page, 'schemas'>];

/** Operations whose query says where to go on: their rows can be read to the end. */
type Paged<Row extends OperationRow> = [QueryOf<Row>] extends [never]
  ? unknown
  : Extract<keyof QueryOf<Row>, 'cursor' | 'offset' | 'startIndex'> extends never
    ? unknown
    : AsyncIterable<ListIn<AnswerOf<Row>>>;

type CallOf<Row extends OperationRow> = Row extends unknown
  ? (...args: Arguments<Row>) => Promise<AnswerOf<Row>> & Paged<Row>
  : never;

type FirstWord<Text extends string> = Text extends `${infer Word}.${string}` ? Word : Text;

type Below<Ids extends string, Prefix extends string> = Ids extends `${Prefix}${infer Rest}`
  ? FirstWord<Rest>
  : never;

/** `users.track.bulk` is `bulk` of the function `track` of the object `users`. */
type Tree<Prefix extends string> = {
  [Word in Below<OperationId, Prefix>]: (`${Prefix}${Word}` extends OperationId
    ? CallOf<RowOf<`${Prefix}${Word}`>>
    : unknown) &
    Tree<`${Prefix}${Word}.`>;
};

/** One function for each operation, under its id. `subscription.set` is short for `subscription.status.set`. */
export type Calls = Tree<''> & { subscription: { set: CallOf<RowOf<'subscription.status.set'>> } };
