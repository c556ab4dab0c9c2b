/** The drivers of warehouses are large and not installed with Roster: each is loaded when the first source of its kind is opened. */

import { textOf } from '../network-errors.ts';
import { SourceError } from '../source-error.ts';

/** `version` is the one that the tests of this package run with. */
export const loadDriver = async <Driver>(
  name: string,
  version: string,
  load: () => Promise<Driver>,
): Promise<Driver> => {
  try {
    return await load();
  } catch (error) {
    if (!textOf(error, 'code').endsWith('MODULE_NOT_FOUND')) throw error;
    throw new SourceError(
      'driver_missing',
      `the driver ${name} is not installed here: npm install --no-save ${name}@${version}`,
    );
  }
};
