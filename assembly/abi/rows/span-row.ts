/** Row of a span of a trace file or a recording. Times in ns since 1970; texts are strings, 0 = not known. */
export const TRACE_HIGH = 0;
export const TRACE_LOW = 8;
export const ID = 16;
/** As its source states it, 0 = none. */
export const PARENT = 24;
/** Local root that the recording states, 0 = not known. */
export const ROOT = 32;
/** As the end, −2⁶³ (NO_TIME) if a trace file does not state the start. */
export const START = 40;
/** Not before the start. */
export const END = 48;
/** Number of the thread in its language's runtime, 0 = not known. */
export const THREAD_ID = 56;
export const SERVICE = 64;
export const NAME = 68;
export const RESOURCE = 72;
/** In lower case: server, client … */
export const KIND = 76;
/** Outcome as its source states it: 0 unset, 1 ok, 2 error, as in OTLP. */
export const STATUS = 80;
/** Name of the thread. */
export const THREAD_NAME = 84;
/** Row of the thread in the store, 0 for spans of files. */
export const THREAD = 88;
/** Instance of the service: `service.instance.id` or Datadog's `runtime-id`. */
export const INSTANCE = 92;
/** One of abi/span-origin.ts. */
export const ORIGIN = 96;
/** Number of the trace file, or for a recording of the chunk, from 1 on. */
export const SOURCE = 100;
/** Row of the attribute set. */
export const SET = 104;
/** SIDE_…. While a group of a file is held, with the number of the process in it. */
export const SIDE = 108;
export const BYTES = 112;

/** The 64 bits of −2⁶³, which a double has exactly. */
export const NO_TIME = 0x8000000000000000;

/** Which half of a span of two services this is, if they share its id: 0 = not known. Producers are clients here. */
export const SIDE_CLIENT = 1;
/** The server's, if there is a client's as well. */
export const SIDE_SERVER = 2;
/** The server's in any case. */
export const SIDE_SHARED = 3;
