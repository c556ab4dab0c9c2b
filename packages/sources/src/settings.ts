/** The two columns that every source needs. Names of columns may differ in upper and lower case from those of the table. */
interface Order {
  /** The column with the moment of the last change of a row. */
  readonly updatedAt: string;
  /** The column that decides between rows of one moment: best a unique one. */
  readonly tie: string;
}

/** `verify` unless told: the certificate must be right for the host. `encrypt` accepts any certificate, `off` sends in the clear. */
export interface Tls {
  readonly mode?: 'verify' | 'encrypt' | 'off';
  /** PEM text of the authorities to trust instead of the usual ones. */
  readonly ca?: string;
}

export interface DatabaseSettings extends Order {
  readonly kind: 'postgresql' | 'redshift' | 'mysql' | 'mongodb';
  /** With user and password, as the caller has resolved them. No options after `?`, except for MongoDB. */
  readonly url: string;
  /** A table, a view or a collection; `schema.table`, and `"quoted.names"` where a name has a dot. */
  readonly table: string;
  readonly tls?: Tls;
}

export interface FileOrder extends Order {
  readonly format: 'ndjson' | 'csv' | 'parquet';
  /** Those that are needed: the others need not be read. All, unless told. */
  readonly columns?: readonly string[];
}

/** Files of this machine with the ending of the format, read as one table. */
interface FilesSettings extends FileOrder {
  readonly kind: 'files';
  readonly folder: string;
}

/** The objects of a bucket whose names have the ending of the format, read as one table. */
export interface BucketSettings extends FileOrder {
  readonly kind: 's3';
  /** `https://host:port`; that of AWS for the region, unless told. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly prefix?: string;
  /** Whether the bucket stands in the path instead of the host; with an endpoint of one's own it does, unless told. */
  readonly pathStyle?: boolean;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string;
  readonly tls?: Tls;
}

/** A table or view of BigQuery: `dataset.table`, or `project.dataset.table`. */
export interface BigquerySettings extends Order {
  readonly kind: 'bigquery';
  readonly table: string;
  /** The JSON of a key of a service account. */
  readonly credentials: string;
  /** The project that pays for the statements; that of the service account, unless told. */
  readonly project?: string;
  /** `https://host:port`; that of Google, unless told. */
  readonly endpoint?: string;
  readonly tls?: Tls;
}

/** A table or view of Snowflake: `table`, `schema.table` or `database.schema.table`. */
export interface SnowflakeSettings extends Order {
  readonly kind: 'snowflake';
  readonly table: string;
  /** `organisation-account`, or the locator of the account. */
  readonly account: string;
  readonly user: string;
  /** One of the two: the PEM text of the private key of the user, or a programmatic access token. */
  readonly privateKey?: string;
  readonly token?: string;
  readonly warehouse?: string;
  readonly role?: string;
  readonly database?: string;
  readonly schema?: string;
  /** `https://host:port`; that of the account, unless told. */
  readonly endpoint?: string;
  readonly tls?: Tls;
}

/** A table or view of Databricks: `table`, `schema.table` or `catalog.schema.table`. */
export interface DatabricksSettings extends Order {
  readonly kind: 'databricks';
  readonly table: string;
  /** `https://host:port` of the workspace. */
  readonly endpoint: string;
  /** The id of the SQL warehouse that runs the statements. */
  readonly warehouse: string;
  /** A personal access token; or the id and the secret of a service principal. */
  readonly token?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly tls?: Tls;
}

export type SourceSettings =
  | DatabaseSettings
  | FilesSettings
  | BucketSettings
  | BigquerySettings
  | SnowflakeSettings
  | DatabricksSettings;
