/** Parquet files as another library writes them. */
import { execFileSync } from 'node:child_process';

/** The writer is ESM, which the tests can't load: it runs beside them. `options` is the text of its object of options. */
export const writeParquet = (path: string, options: string): void => {
  const script = `
    import { parquetWriteFile } from 'hyparquet-writer';
    parquetWriteFile({ filename: ${JSON.stringify(path)}, ...${options} });`;
  execFileSync(process.execPath, ['--input-type=module', '-'], { cwd: __dirname, input: script });
};
