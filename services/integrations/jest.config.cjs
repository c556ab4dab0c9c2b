module.exports = { ...require('../../jest.preset.cjs'), displayName: 'integrations-service' };
