/** Names below the folder of a data set, which tell it from other folders: no output replaces a file in one. */

/** The file that makes a folder a data set. */
export const MARKER = "spanflame.json";
/** Folder of the writers' state. */
export const STATE_FOLDER = "_spanflame";
/** Names the lists of parts, which are in the folder: one for each date. */
export const PARTS_FILE = "parts.json";
export const PARTS_FOLDER = "parts";
/** Each is a folder. */
export const TABLE_NAMES = ["samples", "stacks", "functions", "recordings", "spans", "calls", "ids"] as const;

export type TableName = (typeof TABLE_NAMES)[number];
