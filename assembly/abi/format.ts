/** The reader that `open` uses: each input format in `src/core/input-formats.ts` names one. */
export const Jfr = 0;
export const Otlp = 1;
export const Pprof = 2;
export const Collapsed = 3;
/** Dumps are passed stream by stream (read/cdt/dump.ts), and never opened. */
export const Cdt = 4;
