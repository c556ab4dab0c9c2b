import { openBigquery } from './bigquery/bigquery.ts';
import { openDatabricks } from './databricks/databricks.ts';
import { openTableOf } from './files/files.ts';
import { openFolder } from './files/folder.ts';
import { openMongodb } from './mongodb/mongodb.ts';
import { openMysql } from './mysql/mysql.ts';
import { openPostgresql } from './postgresql/postgresql.ts';
import { openRedshift } from './redshift/redshift.ts';
import { openBucket } from './s3/bucket.ts';
import type { SourceSettings } from './settings.ts';
import { openSnowflake } from './snowflake/snowflake.ts';
import type { Source } from './source.ts';

/** Opens no connection yet. Throws a `SourceError` for settings that can't be right. */
export const openSource = (settings: SourceSettings): Source => {
  switch (settings.kind) {
    case 'postgresql':
      return openPostgresql(settings);
    case 'redshift':
      return openRedshift(settings);
    case 'files':
      return openTableOf(openFolder(settings.folder), settings);
    case 's3':
      return openTableOf(openBucket(settings), settings);
    case 'mongodb':
      return openMongodb(settings);
    case 'mysql':
      return openMysql(settings);
    case 'bigquery':
      return openBigquery(settings);
    case 'snowflake':
      return openSnowflake(settings);
    case 'databricks':
      return openDatabricks(settings);
  }
};
