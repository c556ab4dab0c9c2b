import type { StandaloneConnectionOptions } from 'ioredis';
import { StandaloneConnector } from 'ioredis/built/connectors/index.js';

/**
 * A connection is ready only at a primary. After a failover the name may lead to a replica for a while: then the connection is
 * closed, and the next attempt asks for the name again. ioredis asks `check` with what INFO says of the server.
 */
export class PrimaryConnector extends StandaloneConnector {
  constructor(options: unknown) {
    super(options as StandaloneConnectionOptions);
  }

  override check({ role = 'master' }: { role?: string }): boolean {
    return role === 'master';
  }
}
