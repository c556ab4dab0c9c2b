/** What messages have in common. */
import type { TObject } from '@sinclair/typebox';
import { label, maybe } from '../../shape.ts';
import { isJsonObject, type Json } from '../../types.ts';

export const variationId = maybe(label('Which variation of a campaign it is.'));

/** Without the members that the schema does not name. */
export const onlyKnown = ({ properties }: TObject, sent: Json): Json =>
  isJsonObject(sent)
    ? Object.fromEntries(
        Object.entries(sent).flatMap(([name, value]) =>
          value !== undefined && Object.hasOwn(properties, name) ? [[name, value] as const] : [],
        ),
      )
    : sent;
