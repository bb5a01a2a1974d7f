/** Version of this software, written as the version of the OTLP scope; facts.test.ts compares it with package.json. */
export const VERSION = "0.1.0";
