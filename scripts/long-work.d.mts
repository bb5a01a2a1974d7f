/** The folders whose tests are left out with skipped work. */
export function leftOut(skipped: readonly string[]): string[];
