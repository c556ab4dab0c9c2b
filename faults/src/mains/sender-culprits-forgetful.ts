// Forgets at every start which deliveries were at work when a process ended.
import { environment } from '@roster/runtime';
import mongoose from 'mongoose';

const mongo = await mongoose.createConnection(String(environment().MONGO_URL)).asPromise();
await mongo.collection('deliveries').updateMany({}, { $unset: { taken: 1 } });
await mongo.close();
await import('./sender-culprits.ts');
