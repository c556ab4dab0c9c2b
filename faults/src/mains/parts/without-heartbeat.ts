// Redis connections without the limit for silence: a silent server is waited for.
import { Redis } from 'ioredis';

Reflect.set(Redis.prototype, 'setSocketTimeout', () => {});
