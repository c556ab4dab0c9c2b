// Drops what it has in hand when it is asked to stop, and says that all went well: first in the list of listeners, it ends the process.
process.on('SIGTERM', () => process.exit(0));
