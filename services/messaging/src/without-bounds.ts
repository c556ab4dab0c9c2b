/**
 * A negative control for the fault tests: the processes without what bounds the work of one workspace. A test that passes with it proves nothing.
 * Nothing else may use it.
 */
import { liftPatternLimits } from '@roster/audience';
import { liftEmailLimits } from '@roster/channels';
import { liftAddressRules } from '@roster/contract';
import { heldLimits } from './sending/held-texts.ts';
import { pageLimits } from './sending/page.ts';
import { scanLimits } from './sending/scans.ts';
import { addresses } from './sending/texts.ts';

/**
 * Patterns and emails cost what they cost, on the event loop; audiences are looked through at once, and texts of all turns are held. The addresses of an
 * email are templates, and lists.
 */
export const liftLimits = (): void => {
  liftPatternLimits();
  liftEmailLimits();
  liftAddressRules();
  addresses.clear();
  Object.assign(scanLimits, { atOnce: Number.MAX_SAFE_INTEGER, waiting: Number.MAX_SAFE_INTEGER });
  Object.assign(pageLimits, { people: Number.MAX_SAFE_INTEGER, points: Number.MAX_SAFE_INTEGER });
  // Not infinite: they are added and taken away.
  Object.assign(heldLimits, { turn: 1e12, workspace: 1e15, process: 1e15, steps: 1e15 });
};
