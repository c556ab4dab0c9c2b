/** Decimal numbers as MongoDB stores and adds them: 34 digits, no binary fractions. */
import mongoose from 'mongoose';

const { Decimal128 } = mongoose.mongo.BSON;

export type Decimal = mongoose.mongo.BSON.Decimal128;

/** From a text such as `12.10`; beyond 34 digits it is rounded. */
export const decimal = (text: string): Decimal => Decimal128.fromStringWithRounding(text);
