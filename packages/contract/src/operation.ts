/** The shape of one row of the table of operations. Everything else is derived from such rows. */
import type { TObject, TSchema } from '@sinclair/typebox';
import type { OutcomeList } from './outcome-lists.ts';
import type { PeopleIn } from './people.ts';
import type { Permission } from './permissions.ts';
import type { EntryErrorCode } from './rejections/entry-errors.ts';
import type { Dialect } from './rejections/error-shapes.ts';
import type { Rejection, RejectionCode } from './rejections/rejections.ts';
import { isJsonObject, type Json, type Query } from './types.ts';

/** The queue of an operation, before its partitions and lanes. */
export type QueueFamily =
  | 'track'
  | 'identity'
  | 'subscription'
  | 'export'
  | 'scim'
  | 'messaging'
  | 'integrations';

/** A JSON object that is not validated yet. */
export type JsonObject = { [name: string]: Json | undefined };

/** An app, as far as its name has to lead to its id. */
export interface NamedApp {
  id: string;
  /** In lower case: `ios`, `android` or `web`. */
  platform?: string | undefined;
}

/** What a workspace may configure about the judging of its requests. */
export interface JudgeSettings {
  maxUpdates: number;
  blockedExternalIds: ReadonlySet<string>;
  /** Trimmed and lower-cased, as they are compared. */
  suspiciousExternalIds: ReadonlySet<string>;
  /** Subscription groups by their ids. */
  groups: ReadonlyMap<string, 'email' | 'sms'>;
  /** Ids of the apps. */
  apps: ReadonlySet<string>;
  /** The apps by their names, which several may share. */
  appNames: ReadonlyMap<string, readonly NamedApp[]>;
  /** What content and messages may carry. */
  tags: ReadonlySet<string>;
}

/** The first cause for which an entry is refused. */
export interface EntryFault {
  code: EntryErrorCode;
  /** Place inside the entry (`.properties.color`); the sentence then begins with the full place. */
  at?: string;
  /** Instead of the catalogue's sentence. */
  text?: string;
}

export type EntryRule = (entry: JsonObject, settings: JudgeSettings) => EntryFault | undefined;

export type BodyRule = (body: JsonObject, settings: JudgeSettings) => Rejection | undefined;

/** One array of a body. Its entries are judged one by one: a bad entry is refused, the others are accepted. */
export interface EntryKind {
  readonly array: OutcomeList;
  /** Member of the answer that counts the accepted entries. */
  readonly counter: string;
  readonly schema: TSchema;
  /** For entries that are plain values, `"ada"` instead of `{ "external_id": "ada" }`: the object that is handed on after the schema. */
  readonly lift?: (plain: unknown) => JsonObject;
  /** Rules that come before the schema: they may rely on nothing but an object. */
  readonly before: readonly EntryRule[];
  /** The entry in its canonical form, the same object when nothing has to change. */
  readonly tidy: (entry: JsonObject, settings: JudgeSettings) => JsonObject;
  /** Rules after the schema. */
  readonly rules: readonly EntryRule[];
  /** Every code that an entry of this kind can get. */
  readonly errors: readonly EntryErrorCode[];
}

export interface Example {
  readonly title: string;
  readonly request: { params?: Record<string, string>; query?: Query; body?: Json };
  readonly response: { status: number; body: Json };
}

/** A request, and what it is answered under the name of the status: `{ body: { ... }, 201: { ... } }`. */
type Told = Example['request'] & { readonly [status: number]: Json };

/** Written out: SCIM has answers of its own. */
export function exchange(title: string, told: Told): Example {
  // Numbers come before names.
  const status = Number(Object.keys(told)[0]);
  const { [status]: body = null, ...request } = told;
  return { title, request, response: { status, body } };
}

/** A success says so, as `successAnswer` has it in the schema; behind the rest unless the answer has it at another place. */
export function example(title: string, told: Told): Example {
  const { response, ...others } = exchange(title, told);
  const { status, body } = response;
  if (status >= 300 || !isJsonObject(body)) return { ...others, response };
  return { ...others, response: { status, body: { ...body, message: 'success' } as Json } };
}

export interface RequestSchemas {
  readonly params?: TObject;
  readonly query?: TObject;
  /** Headers that its worker gets to see, by their names in lower case. */
  readonly headers?: TObject;
  readonly body?: TObject;
}

export type AnswerSchemas = Readonly<Record<number, TSchema>>;

/** So many requests in a window that is aligned with the clock; pools are named in the settings of workspaces. */
interface Limit {
  readonly pool: string;
  readonly requests: number;
  readonly seconds: number;
}

/** `of`: what is counted for itself within the pool. */
export interface MoreLimit extends Limit {
  readonly of?: string;
}

interface RowOf<Id, Queue, List extends string, Path, Request, Responses, Code> {
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/requests/{id}`: the style of OpenAPI. */
  readonly path: Path;
  /** Its id unless said otherwise. `scim`: no permission of a key, but a SCIM token. */
  readonly permission?: Permission | 'scim';
  /** What a key needs besides, for a body that does more than others. */
  readonly alsoNeeds?: (body: JsonObject) => Permission | undefined;
  /** Who may call: the holder of a key of a workspace, unless it is the provisioner with the SCIM token of a company. */
  readonly auth?: 'key' | 'scim';
  /** `rest` unless said otherwise. */
  readonly dialect?: Dialect;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly kind: 'write' | 'read';
  /** `receipt`: answered when durable. `result`: answered by the worker. */
  readonly answer: 'receipt' | 'result';
  readonly queue: Queue;
  readonly success: 200 | 201 | 202 | 204;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly limit: Limit;
  /** Limits that depend on what is accepted, beside that of all requests. */
  readonly moreLimits?: (body: JsonObject) => readonly MoreLimit[];
  readonly request: Request;
  readonly entries?: readonly EntryKind[];
  /** How many entries a request may hold; the setting of the workspace when there is no word of it. */
  readonly mostEntries?: (settings: JudgeSettings) => number;
  /** What a request with more of them gets, `TOO_MANY_ENTRIES` when there is no word of it. */
  readonly tooManyEntries?: RejectionCode;
  /** Whether a request of which nothing is left is answered like any other: with 0, and `errors`. */
  readonly mayBeEmpty?: boolean;
  /** Rules that come before the schema: they may rely on nothing but an object. */
  readonly before?: readonly BodyRule[];
  /** Rules about the query, after its schema. */
  readonly queryRules?: readonly BodyRule[];
  /** Rules about the body as a whole; each returns the rejection or nothing. */
  readonly rules?: readonly BodyRule[];
  /** What its security event is called, for the operations that have one: which key did it stands in the audit log. */
  readonly recorded?: 'people.deleted' | 'people.exported';
  /** Whether its worker gets to know which key was used: it keeps who changed what. */
  readonly signed?: true;
  /** Whether it waits for what was accepted before, and says in `X-Roster-Fresh` whether its answer includes that. */
  readonly fresh?: true;
  /** Whether its answer leads to other pages by a `Link` header. */
  readonly links?: true;
  /** Where its bodies name people. */
  readonly people?: PeopleIn<List>;
  /** Whether it deletes the people that it names, for the operations that change identity: requests accepted later wait for deletions. */
  readonly notice?: 'named' | 'deleted';
  /** How much work an accepted body is, when its entries are not judged one by one; 1 when there is no word of it. */
  readonly size?: (body: JsonObject) => number;
  /** The body in its canonical form, the same object when nothing has to change. */
  readonly tidy?: (body: JsonObject) => JsonObject;
  readonly responses: Responses;
  /** Fatal errors of its own, beside those that every operation has. */
  readonly rejections: readonly Code[];
  readonly examples: readonly Example[];
}

export type OperationOf<
  Id extends string,
  Queue extends QueueFamily = QueueFamily,
  List extends string = string,
  Path extends string = string,
  Request extends RequestSchemas = RequestSchemas,
  Responses extends AnswerSchemas = AnswerSchemas,
  Code extends RejectionCode = RejectionCode,
> = RowOf<Id, Queue, List, Path, Request, Responses, Code> & Permitted;

/** The queues with dead letters. Letters are kept, and deleted people are erased from them. */
type LetterQueue = 'track' | 'identity' | 'subscription';

/** What else a row of such a queue says. People are looked for in the body and nowhere else. */
interface Lettered<List extends OutcomeList> {
  readonly people: PeopleIn<List>;
  readonly request: { readonly params?: never; readonly query?: never; readonly headers?: never };
}

interface Permitted {
  readonly permission: Permission | 'scim';
}

type Demanded<Id, Queue extends QueueFamily, List extends OutcomeList> = (Queue extends LetterQueue
  ? Lettered<List>
  : unknown) &
  (Queue extends 'identity' ? { readonly notice: 'named' | 'deleted' } : unknown) &
  (Id extends Permission ? unknown : Permitted);

/** Keeps the literal types, so that the maps of the workers can be held to the table, and the client is typed by it. */
export function operation<
  const Id extends string,
  const Queue extends QueueFamily,
  const Path extends string,
  const Request extends RequestSchemas,
  const Responses extends AnswerSchemas,
  const Code extends RejectionCode,
  const List extends OutcomeList = never,
>(
  row: RowOf<Id, Queue, List, Path, Request, Responses, Code> & Demanded<Id, Queue, List>,
): OperationOf<Id, Queue, List, Path, Request, Responses, Code> {
  // A row whose id is no permission has to name one.
  return { permission: row.id as Permission & Id, ...row };
}
