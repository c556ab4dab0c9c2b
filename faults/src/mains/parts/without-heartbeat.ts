// Redis connections as they are without the limit for silence: whoever says nothing is waited for.
import { Redis } from 'ioredis';

Reflect.set(Redis.prototype, 'setSocketTimeout', () => {});
