/** The only place where a service reads `process.env`; everything else is handed what it needs. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const environment = (): Environment => ({ ...process.env });
