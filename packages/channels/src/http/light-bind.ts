/**
 * A request of `node:http2` binds a function to an `AsyncResource`. Node 20 gives such a function two deprecated properties, which
 * nobody reads and which take a third of the CPU of a push. `request` is synchronous, so nothing else meets the `bind` that is set here.
 */
import { AsyncResource } from 'node:async_hooks';

const { prototype } = AsyncResource;

/** What Node's own does, without the properties. */
function lightBind(this: AsyncResource, work: (...args: unknown[]) => unknown) {
  return (...args: unknown[]) => this.runInAsyncScope(work, undefined, ...args);
}

export const withLightBind = <Made>(make: () => Made): Made => {
  const { bind } = prototype;
  Reflect.set(prototype, 'bind', lightBind);
  try {
    return make();
  } finally {
    prototype.bind = bind;
  }
};
