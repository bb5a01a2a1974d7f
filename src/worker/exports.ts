/** Questions whose answers are files, or are read from them. They wait for the end of a reading, however long. */
export const EXPORTS: ReadonlySet<string> = new Set(["download", "messages", "eventTypes", "eventList"]);
