/** Attributes of samples with the library of the function that was running (assembly/read/library-marks.ts). */
export const LIBRARY_KEY = "library";
export const LIBRARY_VERSION_KEY = "library.version";
