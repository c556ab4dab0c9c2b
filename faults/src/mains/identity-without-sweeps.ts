import { withoutSweeps } from '@roster/identity-service';
import { identity } from './parts/identity.ts';

await identity({ sweeper: withoutSweeps });
