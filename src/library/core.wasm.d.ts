/** The core as a file: bundlers give its address for an import, as they do for other files (`?url` in Vite). */
declare const address: string;
export default address;
