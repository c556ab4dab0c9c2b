/** Parquet files as another library writes them. */
import type { ParquetWriteOptions } from 'hyparquet-writer';

export type ParquetOptions = Omit<ParquetWriteOptions, 'writer'>;

export const writeParquet = async (filename: string, options: ParquetOptions): Promise<void> => {
  // Loaded only by the few tests that write such files.
  const { parquetWriteFile } = await import('hyparquet-writer');
  parquetWriteFile({ filename, ...options });
};
