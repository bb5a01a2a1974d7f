/**
 * What is open, what is being opened, and what an event makes of them:
 *
 * ```
 *              began           fetched          cancelled (in place)
 *      idle ──────────► fetching ────► reading ─────────────────────► cancelling
 *       ▲                  │              │                               │
 *       └──────────────────┴──────────────┴───────────────────────────────┘
 *          opened, refused; cancelled, while the opening can be withdrawn
 * ```
 *
 * While files are read, what has been read of them may be open already (grew).
 */
import type { Diagnostic, FileSummary, ReadChoice } from "../../../core/types.ts";
import type { Failure, InputFile, Overview, Progress } from "../../../worker/api.ts";

/** Files that are not open, and why. */
export interface Refusal {
  failure: Failure | null;
  diagnostics: Diagnostic[];
  /** What there is of the files that the diagnostics are about. */
  summaries: FileSummary[];
  /** Those that the page still has, to be opened again. */
  files: InputFile[];
  /** A question ended the decoder, and would do so again: files are opened again without filters. */
  byQuestion: boolean;
}

export interface OpenRecording {
  phase: "open";
  inputs: InputFile[];
  /** What it was read for. */
  choice: ReadChoice;
  overview: Overview;
  /** Those of the files that are OTLP profiles. */
  otlp: InputFile[];
  /** Files that were to take its place. */
  refusal: Refusal | null;
}

interface NoRecording {
  phase: "empty";
  refusal: Refusal | null;
  otlp: InputFile[];
}

export type RecordingState = NoRecording | ({ phase: "loading" } & Incoming) | OpenRecording;

/** Files that are being fetched or read. */
export interface Incoming {
  names: string[];
  progress: Progress | null;
  cancelling: boolean;
  /** They were open before, and Back or Forward leads to them. */
  again: boolean;
  /** What has been read of them is open. */
  isShown: boolean;
}

/** Many files, of which some or one are opened at a time. */
export interface Collection {
  files: readonly InputFile[];
  /** Trace files, which are opened with each of them. */
  beside: readonly InputFile[];
}

interface Opening {
  stage: "fetching" | "reading" | "cancelling";
  /** The open recording stays on the page until the other one is there. */
  isBeside: boolean;
  /** The recording that is open is what has been read of them. */
  isShown: boolean;
  again: boolean;
  inputs: InputFile[];
  progress: Progress | null;
}

export interface Openings {
  /** What the worker holds, also while other files are read. The files are kept here: they outlive a worker. */
  held: OpenRecording | NoRecording;
  opening: Opening | null;
  /** It stays while its files are opened and closed, until other files take its place. */
  collection: Collection | null;
  /** Counts openings: answers about an older one are of no use. */
  generation: number;
}

/** The page's view of them. */
export interface Shown extends Pick<Openings, "collection" | "generation"> {
  state: RecordingState;
  /** Files that are read while the open recording stays on the page. */
  incoming: Incoming | null;
}

export type OpeningEvent =
  | { kind: "collected"; collection: Collection | null }
  | { kind: "began"; isBeside: boolean; again: boolean }
  | { kind: "fetched"; inputs: InputFile[] }
  | { kind: "progressed"; progress: Progress }
  | { kind: "grew"; recording: OpenRecording }
  | { kind: "opened"; recording: OpenRecording }
  /** `isKept`: a worker still holds the former recording. */
  | {
      kind: "refused";
      isKept: boolean;
      refusal: Pick<Refusal, "failure" | "diagnostics" | "summaries">;
      otlp: InputFile[];
    }
  | { kind: "cancelled" }
  | { kind: "closed" }
  /** A question ended the decoder. */
  | { kind: "died"; failure: Failure }
  | { kind: "dismissed" };

type Transition<Kind> = (now: Openings, event: Extract<OpeningEvent, { kind: Kind }>) => Openings;
type Transitions = { [Kind in OpeningEvent["kind"]]?: Transition<Kind> };

const EMPTY: NoRecording = { phase: "empty", refusal: null, otlp: [] };
export const NOTHING_OPEN: Openings = { held: EMPTY, opening: null, collection: null, generation: 0 };

const change = (now: Openings, by: Partial<Opening>): Openings =>
  now.opening === null ? now : { ...now, opening: { ...now.opening, ...by } };

const withdraw = (now: Openings): Openings => ({ ...now, opening: null, held: openIn(now) ?? EMPTY });

const refuse: Transition<"refused"> = (now, { isKept, refusal, otlp }) => {
  const inputs = now.opening?.inputs ?? [];
  const failed = refusal.failure === null ? [] : inputs;
  const former = openIn(now);
  if (isKept && former !== null) {
    return { ...now, opening: null, held: { ...former, refusal: { ...refusal, files: failed, byQuestion: false } } };
  }
  const others = former?.inputs.filter(({ blob }) => !inputs.some((input) => input.blob === blob)) ?? [];
  const lost: Refusal = { ...refusal, files: [...failed, ...others], byQuestion: false };
  return { ...now, opening: null, held: { phase: "empty", refusal: lost, otlp } };
};

/** Events that count whatever is being opened. */
const AT_ANY_TIME: Transitions = {
  collected: (now, { collection }) => ({ ...now, collection }),
  began: (now, { isBeside, again }) => ({
    ...now,
    // Nobody needs a part of the former files.
    held: now.opening?.isShown ? EMPTY : now.held,
    opening: { stage: "fetching", isBeside, isShown: false, again, inputs: [], progress: null },
    generation: isBeside ? now.generation : now.generation + 1,
  }),
  closed: ({ collection, generation }) => ({ ...NOTHING_OPEN, collection, generation: generation + 1 }),
  died: (now, { failure }) => {
    const files = openIn(now)?.inputs ?? [];
    const refusal: Refusal = { failure, diagnostics: [], summaries: [], files, byQuestion: true };
    const opening = now.opening?.isShown ? null : now.opening;
    return { ...now, opening, held: { phase: "empty", otlp: [], refusal } };
  },
  dismissed: (now) => ({ ...now, held: { ...now.held, refusal: null } }),
};

const WHILE_READING: Transitions = {
  ...AT_ANY_TIME,
  progressed: (now, { progress }) => change(now, { progress }),
  grew: (now, { recording }) => ({
    ...change(now, { isShown: true, isBeside: false }),
    held: recording,
    generation: now.opening?.isBeside ? now.generation + 1 : now.generation,
  }),
  opened: (now, { recording }) => ({
    ...now,
    held: recording,
    opening: null,
    generation: now.opening?.isBeside ? now.generation + 1 : now.generation,
  }),
  refused: refuse,
};

/** An event without a transition came too late, and changes nothing. */
const TRANSITIONS: Record<Opening["stage"] | "idle", Transitions> = {
  idle: AT_ANY_TIME,
  fetching: {
    ...AT_ANY_TIME,
    fetched: (now, { inputs }) => change(now, { stage: "reading", inputs }),
    refused: refuse,
    cancelled: withdraw,
  },
  reading: {
    ...WHILE_READING,
    // In place of the recording, the samples read so far are kept.
    cancelled: (now) => (now.opening?.isBeside ? withdraw(now) : change(now, { stage: "cancelling" })),
  },
  cancelling: WHILE_READING,
};

export function after(now: Openings, event: OpeningEvent): Openings {
  const transition = TRANSITIONS[now.opening?.stage ?? "idle"][event.kind] as Transition<string> | undefined;
  return transition === undefined ? now : transition(now, event as never);
}

export function openIn({ held }: Openings): OpenRecording | null {
  return held.phase === "open" ? held : null;
}

export function shownOf({ held, opening, ...kept }: Openings): Shown {
  if (opening === null) return { state: held, incoming: null, ...kept };
  const { inputs, progress, stage, again, isShown } = opening;
  const names = inputs.map(({ name }) => name);
  const incoming = { names, progress, cancelling: stage === "cancelling", again, isShown };
  if (opening.isBeside || isShown) return { state: held, incoming, ...kept };
  return { state: { phase: "loading", ...incoming }, incoming: null, ...kept };
}
