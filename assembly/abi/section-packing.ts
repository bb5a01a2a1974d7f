/** How the data of a section is packed. */
export const Plain = 0;
export const Zlib = 1;
export const Zstd = 2;
export const UnknownPacking = 3;
