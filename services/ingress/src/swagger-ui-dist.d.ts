declare module 'swagger-ui-dist/absolute-path.js' {
  /** The folder with the page's assets. */
  const absolutePath: () => string;
  export = absolutePath;
}
