export { isNameError } from './name-error.ts';
export { type Names, type NamesOptions, openNames } from './names.ts';
export { isInClear, isLoopback } from './this-machine.ts';
