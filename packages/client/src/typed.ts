/** A client whose custom attributes have the caller's own types: `Roster<{ attributes: { plan: 'free' | 'team' } }>`. */
import type { CallOptions } from './call-options.ts';
import type { Answer, Body, Calls } from './calls.ts';

/** Types of the caller: `attributes` are the custom attributes of a person. */
export interface RosterTypes {
  attributes?: object;
}

type AttributeOf = NonNullable<Body<'users.track'>['attributes']>[number];

/** Without custom attributes: their names are open. */
type Fields = { [Name in keyof AttributeOf as string extends Name ? never : Name]: AttributeOf[Name] };

/** A number can be added to; members of a list can be added and removed. */
type Change<Value> =
  | Value
  | null
  | (NonNullable<Value> extends number ? { inc: number } : never)
  | (NonNullable<Value> extends readonly unknown[]
      ? { add?: Value; remove?: Value } | { $add?: Value; $remove?: object[]; $update?: object[] }
      : never);

export type AttributesOf<Mine extends RosterTypes> = Mine extends { attributes: infer Own extends object }
  ? Fields & { [Name in keyof Own]?: Change<Own[Name]> }
  : AttributeOf;

type TrackId = 'users.track' | 'users.track.sync' | 'users.track.bulk';

type Track<Id extends TrackId, Mine extends RosterTypes> = (
  body: Omit<Body<Id>, 'attributes'> & { attributes?: AttributesOf<Mine>[] },
  options?: CallOptions,
) => Promise<Answer<Id>>;

export type CallsOf<Mine extends RosterTypes> = Mine extends { attributes: object }
  ? Omit<Calls, 'users'> & {
      users: Omit<Calls['users'], 'track'> & {
        track: Track<'users.track', Mine> & {
          sync: Track<'users.track.sync', Mine>;
          bulk: Track<'users.track.bulk', Mine>;
        };
      };
    }
  : Calls;
