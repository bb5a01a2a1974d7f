/** A page of observations as columns, and the rules of event rows (`assembly/write/observation-page.ts`). */
export const RULE_PROFILE = 0;
export const RULE_SECOND = 4;
export const RULE_FACTOR = 8;
export const RULE_BYTES = 16;
/** Second value of an observation: none, 1, or the stored one. */
export const SECOND_NONE = 0;
export const SECOND_COUNTED = 1;
export const SECOND_STORED = 2;
/** Number of the first observation after the page. */
export const PAGE_NEXT = 0;
export const PAGE_ROWS = 4;
export const PAGE_COLUMNS = 8;
/** Bytes of a row before each column: a column begins at PAGE_COLUMNS + this × the most rows of the page. */
export const COLUMN_TIME = 0;
export const COLUMN_VALUE = 8;
export const COLUMN_SECOND = 16;
export const COLUMN_PROFILE = 24;
export const COLUMN_EVENT = 28;
export const COLUMN_STACK = 32;
export const COLUMN_LINK = 36;
export const COLUMN_THREAD = 40;
export const COLUMN_SET = 44;
/** Number of the observation. */
export const COLUMN_NUMBER = 48;
export const PAGE_ROW_BYTES = 52;
