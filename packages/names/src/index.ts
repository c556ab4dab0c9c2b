export { isNameError } from './name-error.ts';
export { type Names, type NamesOptions, openNames } from './names.ts';
export { isLoopback, isThisMachine } from './this-machine.ts';
