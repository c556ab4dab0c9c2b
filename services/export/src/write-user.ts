/** One person of an answer as JSON text, in short strides: a profile may be large. */
import { stringifyExact } from '@roster/contract';
import type { Breath } from '@roster/store';
import { attributesOf, type ExportPerson } from './person.ts';
import type { ExportText } from './text.ts';

const customAttributes = 'custom_attributes';

/** One after the other: of each there may be very many. What was removed is not there. */
const writeAttributes = async (text: ExportText, person: ExportPerson, breath: Breath): Promise<void> => {
  let before = '{';
  for await (const { k, v } of attributesOf(person, breath)) {
    if (v === null) continue;
    text.add(`${before}${JSON.stringify(k)}:${stringifyExact(v)}`);
    before = ',';
  }
  text.add(before === '{' ? '{}' : '}');
};

const writeItems = async (text: ExportText, items: readonly unknown[], breath: Breath): Promise<void> => {
  for (const [place, item] of items.entries()) {
    text.add(`${place > 0 ? ',' : '['}${stringifyExact(item)}`);
    await breath();
  }
  text.add(items.length > 0 ? ']' : '[]');
};

/** One field after the other. */
export const writeUser = async (
  text: ExportText,
  person: ExportPerson,
  shown: readonly [name: string, value: unknown][],
  breath: Breath,
): Promise<void> => {
  text.add('{');
  for (const [place, [name, value]] of shown.entries()) {
    text.add(`${place > 0 ? ',' : ''}${JSON.stringify(name)}:`);
    if (name === customAttributes) await writeAttributes(text, person, breath);
    else if (Array.isArray(value)) await writeItems(text, value, breath);
    else text.add(stringifyExact(value));
    await breath();
  }
  text.add('}');
};
