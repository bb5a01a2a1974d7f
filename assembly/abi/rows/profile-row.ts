/** Rows of profiles and of the events that fill them (`assembly/store/profiles.ts`). */
export const TYPE = 0;
export const UNIT = 4;
export const PERIOD_TYPE = 8;
export const PERIOD_UNIT = 12;
/** Event rows that feed its family, at its first row: above 1 a sample says its event in `jfr.event`. */
export const EVENTS = 16;
/** 0 = the profile has no second measure. */
export const SECOND_TYPE = 20;
export const PERIOD = 24;
export const SECOND_UNIT = 32;
/** 1 = the second measure is in the samples' second values, 0 = it is their number. */
export const SECOND_STORED = 36;
/** Attribute set of the profile itself. */
export const SET = 40;
/** 0 = of no pprof file. */
export const GROUP = 44;
/** Bits of `ProfileFlag`. */
export const FLAGS = 48;
/** The first row of its family: rows that differ in their period and scope only. */
export const FAMILY = 52;
/** OTLP's profile_id as 16 bytes in its order; zero if there is no id, or if the profile was merged from several. */
export const ID = 56;
/** Instrumentation scope, 0 = that of our own writer. */
export const SCOPE = 72;
/** Number of its process in the message that is written (assembly/write/processes.ts), 0 at all other times. */
export const PROCESS = 76;
/** First and last moment, unsigned ns since 1970, if its Resource is a separate one; 0 and 0 if they are not known. */
export const FROM = 80;
export const TO = 88;
/** Of a pprof file that it was read from: the file has one, which may be of other types than this one. */
export const FILE_PERIOD = 96;
export const BYTES = 104;

export const EVENT_NAME = 0;
export const EVENT_PROFILE = 4;
/** Columns that its observations have, see `Shape`. */
export const EVENT_SHAPE = 8;
/** 1 = its source names neither event nor profile type on the sample, so a writer adds neither. */
export const EVENT_PLAIN = 12;
export const EVENT_BYTES = 16;
