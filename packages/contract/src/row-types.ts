/** The types of a row of the table, as its schemas say them. */
import type { Static, TSchema } from '@sinclair/typebox';
import type { OperationId, OperationRow } from './operations/index.ts';
import type { RejectionCode } from './rejections/rejections.ts';

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : never;

type MemberOf<Row extends OperationRow, Place extends string> = Row['request'] extends {
  readonly [Name in Place]: infer Schema;
}
  ? StaticOf<Schema>
  : never;

/** `never` when it takes none. */
export type BodyOf<Row extends OperationRow> = MemberOf<Row, 'body'>;
export type QueryOf<Row extends OperationRow> = MemberOf<Row, 'query'>;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [Name, ...NamesIn<Rest>]
  : [];

type TextFor<Names extends readonly unknown[]> = { [Place in keyof Names]: string };

/** A text for each parameter of its path, in their order. */
export type ParamsOf<Row extends OperationRow> = TextFor<NamesIn<Row['path']>>;

type Answers<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 ? StaticOf<Responses[Status]> : never;
}[keyof Responses];

type Nothing = Record<string, never>;

/** Of its successes; an empty object where there is nothing to say. */
export type AnswerOf<Row extends OperationRow> =
  | Answers<Row['responses']>
  | (204 extends keyof Row['responses'] ? Nothing : never);

/** The errors of its own; every other code is one that any operation may have. */
export type CodesOf<Row extends OperationRow> = Extract<Row['rejections'][number], RejectionCode>;

type RowBy<Id extends OperationId> = Extract<OperationRow, { id: Id }>;

/** As the worker of the operation reads it. */
export type BodyFor<Id extends OperationId> = BodyOf<RowBy<Id>>;
export type QueryFor<Id extends OperationId> = QueryOf<RowBy<Id>>;
