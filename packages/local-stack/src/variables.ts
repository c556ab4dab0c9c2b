/** Numbers in the variables that `npm start` reads. */
export const numberIn = (
  env: NodeJS.ProcessEnv,
  name: string,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined => {
  const text = env[name];
  if (!text) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : most + 1;
  if (value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? '' : ` from 0 to ${most}`;
  throw new Error(`${name} must be a whole number${range}, not ${text}.`);
};

export const mostPort = 65_535;
