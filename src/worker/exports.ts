/** Questions whose answers are files. They wait for the end of a reading, and take as long as they take. */
export const EXPORTS: ReadonlySet<string> = new Set(["download", "messages"]);
