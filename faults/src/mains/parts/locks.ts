/** A worker that vanished is missed sooner: trials that wait for it need not wait so long. */
export const shortLocks = { lockMs: 2_000 };

/** A quarter of an hour: what waits is never applied as things are, however slow the machine is. */
export const patience = { ...shortLocks, mostTries: 3_600 };
