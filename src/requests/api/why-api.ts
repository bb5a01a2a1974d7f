/** Types of the answers of `why` and `waits`, the same for the command line and the library. */
import type { BreakdownPart } from "../../model/span-time/breakdown.ts";
import type { ThreadState } from "../../model/span-time/thread-states.ts";
import type { Blocked, Waited } from "../../model/waits/held.ts";
import type { Wait } from "../../model/waits/waits.ts";
import type { OtherRequests } from "./operations-api.ts";

/** Why a selection took its time. Shares are from 0 to 1. */
export interface WhyAnswer {
  /** The explanation in one sentence or a few; "" without samples. */
  sentence: string;
  /** What the sentence, the states and the paths are of; null without samples. */
  told: WhyTold | null;
  /** Type of the profile that is asked about; null if no profile has samples. */
  profile: string | null;
  samples: number;
  /** Null if their number is unknown. */
  observations: number | null;
  value: bigint;
  /** From the first to the last sample; null if no sample has a time. */
  time: { startUnixNano: bigint; durationNano: bigint; from: "samples" } | null;
  /** States of the threads. */
  states: { state: ThreadState; share: number }[];
  /** Hot paths in application code. */
  paths: { path: string; function: string; state: ThreadState; share: number }[];
  /** Pauses of the collector in its time. */
  gc: { pauses: number; nano: bigint };
  /** Other requests of the same endpoint or operation; null if there are none. */
  peers: WhyPeers | null;
  /** Thread pools in place of requests; null where samples have ids. */
  pools: WhyPools | null;
  findings: WhyFinding[];
  /** Attributes whose values differ from those of other requests. */
  attributes: { key: string; value: string; share: number; otherShare: number }[];
  /** What it waited for longest, and who held it; null where holders are not known. */
  waited: Waited | null;
  /** The time of its requests; null where no request is selected. */
  requests: WhyRequests | null;
}

/** Samples that the sentence is of, all of one profile. */
export interface WhyTold {
  profile: string;
  samples: number;
  observations: number | null;
  value: bigint;
  /** Half of the 95 % interval of a share, in percentage points; null for fewer than 5 observations. */
  errorPoints: number | null;
  /** Types of profiles of events that the sentence tells of beside the samples. */
  events: (string | null)[];
}

/** Other requests of the endpoint or operation of a selection. */
export interface WhyPeers {
  key: string;
  value: string;
  requests: number;
  /** Null for fewer than three requests. */
  medianNanos: number | null;
  /** The function whose share differs most, beyond chance. */
  difference: { name: string; share: number; otherShare: number } | null;
}

/** Thread pools, the longest first, and idle ones. */
export interface WhyPools {
  rows: {
    name: string;
    threads: number;
    nano: bigint;
    /** The largest first. */
    parts: Pick<BreakdownPart, "part" | "nano">[];
    /** The function that most of the largest part is in, and its caller. */
    path: { name: string; caller: string } | null;
  }[];
  idle: { name: string; threads: number }[];
}

/** A rule of docs/findings.md that applies. */
export interface WhyFinding {
  name: string;
  tone: "info" | "warning";
  /** What `amount` is. */
  figure: "share" | "time" | "rate" | "pauses" | "kept" | "held";
  /** Percent, or events per second. */
  amount: number;
  /** Type of the profile that the figure is of; null for pauses and context. */
  profile: string | null;
  /** Samples that the figure is based on, about. */
  samples: number;
  /** The recorder left out events, so the amount is larger. */
  atLeast?: true;
  why: string;
  advice: string;
}

/** Where the time of requests went. */
export interface WhyRequestTime {
  requests: number;
  /** Requests whose time is told. */
  counted: number;
  durationNano: bigint;
  samples: number;
  inferredSamples: number;
  /** Null without CPU samples. */
  cpuNano: bigint | null;
  breakdown: readonly BreakdownPart[];
}

/** The requests of a selection, and others to compare them with. */
export interface WhyRequests extends WhyRequestTime {
  /** What states their durations. */
  from: "trace" | "recording" | "samples";
  /** Local roots that no trace knows. */
  unknownRoots: number;
  /** The longest first. */
  longest: {
    id: bigint;
    hex: string;
    /** Null without a trace. */
    traceId: string | null;
    operation: string;
    service: string;
    startUnixNano: bigint;
    durationNano: bigint;
  }[];
  /** Null if there are none. */
  others: (WhyRequestTime & { of: OtherRequests }) | null;
}

/** Sums of all waits of a selection. */
export interface WaitTotal {
  waits: number;
  durationNano: bigint;
  /** Of the waits' parts whose holder is known. */
  heldNano: bigint;
}

/** Waits of a selection in the order of their starts. */
export interface WaitPage {
  waits: Wait[];
  /** Of all waits. */
  total: WaitTotal;
}

/** Who blocks whom, the longest first. */
export interface BlockedPage {
  blocked: Blocked[];
  /** Of all waits for locks. */
  total: WaitTotal;
}
