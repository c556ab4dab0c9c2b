/** `verify` unless told: the certificate must be right for the host. `encrypt` accepts any certificate, `off` sends in the clear. */
export interface Tls {
  readonly mode?: 'verify' | 'encrypt' | 'off';
  /** PEM text of the authorities to trust instead of the usual ones. */
  readonly ca?: string;
}

/** The two columns that reading needs. Their names may differ in upper and lower case from those of the table. */
interface Order {
  /** The column with the moment of the last change of a row. */
  readonly updatedAt: string;
  /** The column that decides between rows of one moment: best a unique one. */
  readonly tie: string;
}

export interface PostgresqlTable {
  readonly kind: 'postgresql';
  /** With user and password, as the caller has resolved them. No options after `?`. */
  readonly url: string;
  /** A table or a view; `schema.table`, and `"quoted.names"` where a name has a dot. */
  readonly table: string;
  readonly tls?: Tls;
}

export type PostgresqlSettings = PostgresqlTable & Order;

/** Where rows stand. */
export type SourceTable = PostgresqlTable;

export type SourceSettings = SourceTable & Order;
