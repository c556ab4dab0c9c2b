/** A request of `track` as the rules read it. */
import type { Identified } from '../identifier.ts';
import type { Stamp, Value } from '../profile.ts';

/** An accepted entry. Its kind says which of its other members matter. */
export interface TrackEntry extends Identified {
  _update_existing_only?: boolean;
  push_token_import?: Value | undefined;
  push_tokens?: Value | undefined;
}

export interface AttributeObject extends TrackEntry {
  [name: string]: Value | undefined;
}

/** A text stands for a refused entry: the reason. */
export interface TrackBody<Event extends TrackEntry, Purchase extends TrackEntry> {
  attributes?: (AttributeObject | string)[];
  events?: (Event | string)[];
  purchases?: (Purchase | string)[];
}

export interface TrackRequest<Event extends TrackEntry, Purchase extends TrackEntry> {
  id: string;
  ws: string;
  at: Stamp;
  op?: string;
  body: TrackBody<Event, Purchase>;
}
