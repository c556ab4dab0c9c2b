import mongoose from 'mongoose';

const { ClientSession } = mongoose.mongo;

/** Every transaction counts as committed when one member has it in its memory. */
export const commitCarelessly = (): void => {
  const { startTransaction } = ClientSession.prototype;
  ClientSession.prototype.startTransaction = function startCarelessly(options) {
    return startTransaction.call(this, { ...options, writeConcern: { w: 1, journal: false } });
  };
};
