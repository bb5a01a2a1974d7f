/** Version of this software, written as the version of the OTLP scope; package.test.ts holds it to package.json. */
export const VERSION = "0.1.0";
