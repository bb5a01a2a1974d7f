/** Row of a mapping. */
export const START: u32 = 0;
export const LIMIT: u32 = 2;
export const FILE_OFFSET: u32 = 4;
export const FILE_NAME: u32 = 6;
/** The attribute `process.executable.build_id.gnu`, or `.go` where there is no such. */
export const BUILD_ID: u32 = 7;
/** The other attributes. */
export const SET: u32 = 8;
