/** Answers of the symbol reader's steps. */
export const Done = 0;
/** Bytes are missing: the host fills the rows of `needRows` and calls `advance` again. */
export const Needs = 1;
