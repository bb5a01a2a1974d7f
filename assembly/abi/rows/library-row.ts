/** Rows of native libraries and of the frames known by their address, made by `assembly/view/libraries.ts`. */
export const FILE = 0;
export const BUILD_ID = 4;
export const SAMPLES = 8;
export const VALUE = 16;
export const BYTES = 24;

export const NATIVE_LOCATION = 0;
export const NATIVE_LIBRARY = 4;
export const NATIVE_ADDRESS = 8;
export const NATIVE_FRAMES = 16;
export const NATIVE_BYTES = 24;
