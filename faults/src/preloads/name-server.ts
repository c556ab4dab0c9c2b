// Host names that peers choose are looked up at the name server that stands in the address of this script, instead of those of resolv.conf.
import { Resolver } from 'node:dns/promises';

const servers = new URL(import.meta.url).searchParams.getAll('at');
const told = new WeakSet<object>();

/** As a resolver is made, which takes no other servers once it has asked. */
const tell = (resolver: Resolver): void => {
  if (told.has(resolver)) return;
  told.add(resolver);
  resolver.setServers(servers);
};

const { resolve4, resolve6 } = Resolver.prototype;

Object.assign(Resolver.prototype, {
  resolve4(this: Resolver, ...asked: unknown[]): unknown {
    tell(this);
    return Reflect.apply(resolve4, this, asked);
  },
  resolve6(this: Resolver, ...asked: unknown[]): unknown {
    tell(this);
    return Reflect.apply(resolve6, this, asked);
  },
});
