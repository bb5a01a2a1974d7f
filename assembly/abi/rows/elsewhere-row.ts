/** A unit whose debug information is in another file. */
/** u64: the id that both have. */
export const ID = 0;
/** u32: places of texts among the bytes of texts, and their sizes: name of the file, compilation directory. */
export const FILE_AT = 8;
export const FILE_SIZE = 12;
export const FOLDER_AT = 16;
export const FOLDER_SIZE = 20;
/** u32: row of the unit; 1 once its entries are read. */
export const OF = 24;
export const IS_READ = 28;
export const BYTES = 32;
