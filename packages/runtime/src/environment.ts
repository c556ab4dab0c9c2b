/** The only file of a service that reads `process.env`. All other code gets its settings as arguments. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const environment = (): Environment => ({ ...process.env });
