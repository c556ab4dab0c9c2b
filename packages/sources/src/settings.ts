/** `verify` unless told: the certificate must be right for the host. `encrypt` accepts any certificate, `off` sends in the clear. */
export interface Tls {
  readonly mode?: 'verify' | 'encrypt' | 'off';
  /** PEM text of the authorities to trust instead of the usual ones. */
  readonly ca?: string;
}

/** Where rows stand. */
export interface SourceTable {
  readonly kind: 'postgresql' | 'mysql' | 'mongodb';
  /** With user and password, as the caller has resolved them. No options after `?`, except for MongoDB. */
  readonly url: string;
  /** A table, a view or a collection; `schema.table`, and `"quoted.names"` where a name has a dot. */
  readonly table: string;
  readonly tls?: Tls;
}

/** With the two columns that reading needs. Their names may differ in upper and lower case from those of the table. */
export interface SourceSettings extends SourceTable {
  /** The column with the moment of the last change of a row. */
  readonly updatedAt: string;
  /** The column that decides between rows of one moment: best a unique one. */
  readonly tie: string;
}
