/** The readers of `open`: each format of an input names one in `src/core/input-formats.ts`. */
export const Jfr = 0;
export const Otlp = 1;
export const Pprof = 2;
export const Collapsed = 3;
