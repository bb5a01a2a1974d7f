/** Whose code functions of a name are, where that is known beside the name (answers/library-paths.ts). */
export const UNKNOWN_CODE = 0;
export const LIBRARY_CODE = 1;
export const PROGRAM_CODE = 2;
