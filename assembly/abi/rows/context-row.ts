/** Rows of the tables that context is inferred from (`assembly/store/contexts.ts`). */

/** An observation of the file that is read. */
export const NOTED_OBSERVATION = 0;
export const NOTED_OWN = 4;
export const NOTED_START = 8;
export const NOTED_END = 16;
export const NOTED_BYTES = 24;

/** Columns of a page of noted observations for the host: offsets for each row of the page. */
export const PAGE_START = 0;
export const PAGE_END = 8;
export const PAGE_SPAN = 16;
export const PAGE_ROOT = 24;
export const PAGE_OBSERVATION = 32;
export const PAGE_THREAD = 36;
export const PAGE_STACK = 40;
export const PAGE_EVENT = 44;
export const PAGE_OWN = 48;
export const PAGE_BYTES = 52;

/** A border between two tasks of a thread. */
export const BORDER_THREAD = 0;
export const BORDER_TIME = 8;
export const BORDER_BYTES = 16;

/** A thread of the file. */
export const NOTED_THREAD_ROW = 0;
export const NOTED_THREAD_KEY = 8;
export const NOTED_THREAD_JAVA = 16;
export const NOTED_THREAD_BYTES = 24;

/** An observation that waited for an object, which a thread gave up before. Without an owner it has thread 0. */
export const WAIT_OBSERVATION = 0;
export const WAIT_OWNER = 4;
/** Name of its class, a string. */
export const WAIT_CLASS = 8;
export const WAIT_ADDRESS = 16;
export const WAIT_BYTES = 24;

/** An event with contextual fields. */
export const CONTEXT_THREAD = 0;
export const CONTEXT_SET = 4;
export const CONTEXT_START = 8;
export const CONTEXT_END = 16;
export const CONTEXT_TRACE_HIGH = 24;
export const CONTEXT_TRACE_LOW = 32;
export const CONTEXT_BYTES = 40;

/** A claim of the host: the context of an observation. The trace id counts where there is no root. */
export const CLAIM_OBSERVATION = 0;
export const CLAIM_RULE = 4;
export const CLAIM_ROOT = 8;
export const CLAIM_SPAN = 16;
export const CLAIM_TRACE_HIGH = 24;
export const CLAIM_TRACE_LOW = 32;
/** Attributes of contextual fields. */
export const CLAIM_SET = 40;
export const CLAIM_BYTES = 48;
