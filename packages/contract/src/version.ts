/** Of Roster, and of its interface. */
export const version = '0.1.0';
