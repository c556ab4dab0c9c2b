/** `verify` unless told: the certificate must be right for the host. `encrypt` accepts any certificate, `off` sends in the clear. */
export interface Tls {
  readonly mode?: 'verify' | 'encrypt' | 'off';
  /** PEM text of the authorities to trust instead of the usual ones. */
  readonly ca?: string;
}

/** The columns that reading needs. Their names may differ in upper and lower case from those of the table. */
export interface Order {
  /** The column with the moment of the last change of a row. Without it the table is read by its keys, all rows each time. */
  readonly updatedAt: string | undefined;
  /** The column that decides between rows of one moment: best a unique one. Without moments it is the key. */
  readonly tie: string;
}

/** A table of a server. */
export interface ServerTable {
  readonly kind: 'postgresql' | 'mysql' | 'mongodb' | 'redshift';
  /** With user and password, as the caller has resolved them. No options after `?`, except for MongoDB. */
  readonly url: string;
  /** A table, a view or a collection; `schema.table`, and `"quoted.names"` where a name has a dot. */
  readonly table: string;
  readonly tls?: Tls;
}

export type ServerSettings = ServerTable & Order;

interface FileTable {
  readonly format: 'ndjson' | 'csv' | 'parquet';
  /** Those that are needed: Parquet leaves out the others. All, unless told. */
  readonly columns?: readonly string[] | undefined;
}

/** The files of a folder with the ending of the format, read as one table. */
export interface FolderTable extends FileTable {
  readonly kind: 'files';
  /** The operator allows the folders in it, and no others. */
  readonly root: string;
  /** The name of one of them. */
  readonly folder: string;
}

/** The objects of a bucket with the ending of the format, read as one table. */
export interface BucketTable extends FileTable {
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
export interface BigqueryTable {
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
export interface SnowflakeTable {
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
export interface DatabricksTable {
  readonly kind: 'databricks';
  readonly table: string;
  /** `https://host:port` of the workspace. */
  readonly endpoint: string;
  /** The id of the SQL warehouse that runs the statements. */
  readonly warehouse: string;
  /** An access token of a user or a service principal. */
  readonly token: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly tls?: Tls;
}

/** A table of a warehouse that is asked over HTTP. */
export type ServiceTable = BigqueryTable | SnowflakeTable | DatabricksTable;

export type FileSettings = FileTable & Order;

/** Where rows stand. */
export type SourceTable = ServerTable | ServiceTable | FolderTable | BucketTable;

export type SourceSettings = SourceTable & Order;

/** As Node takes them; undefined: no TLS. */
export const tlsOptions = ({ mode = 'verify', ca }: Tls = {}) =>
  mode === 'off' ? undefined : { rejectUnauthorized: mode === 'verify', ...(ca !== undefined && { ca }) };
