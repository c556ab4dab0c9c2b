/** What a yardstick in a process of its own needs to know. */
export interface Servers {
  mongoUrl: string;
  /** Its CPU is part of the cost. */
  mongodPid: number;
}
