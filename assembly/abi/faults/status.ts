/** Return codes of `open` and `step`. */
export const Done = 0;
export const More = 1;
/** Not a chunk or message that can be read; a diagnostic says why. */
export const Unreadable = 2;
