/** Each event at each stage of an opening, with a decoder that the test controls, and the state that follows. */
import { describe, expect, it } from "vitest";
import type { Failure, InputFile, Overview, Progress, Result } from "../../../worker/api.ts";
import { type Decoder, type Endings, type FilesToOpen, RecordingReader } from "./recording-reader.ts";
import { after, NOTHING_OPEN, type OpeningEvent, type Shown, shownOf } from "./recording-state.ts";

const PLAIN = { extra: [], inferred: false };
const INFERRED = { extra: [], inferred: true };
const LOST: Failure = { code: "worker.died", message: "The decoder ended.", lost: true };
const file = (name: string): InputFile => ({ name, blob: new Blob([name]) });

function overview(more: Partial<Overview> = {}): Overview {
  return { open: "these", inputs: [], diagnostics: [], files: [], bytesHeld: 7, ...more } as Overview;
}

/** A page with a decoder: `calls` is what the decoder was told, `answer` its answer to the oldest open question. */
function page() {
  const calls: string[] = [];
  const notes: string[] = [];
  type Told = Parameters<Decoder["read"]>[3];
  type Question = { answer: (given: Result<Overview>) => void; progress: Told["onProgress"]; grow: Told["onGrowth"] };
  const questions: Question[] = [];
  const ask = (call: string, { onProgress: progress, onGrowth: grow }: Told) => {
    calls.push(call);
    return new Promise<Result<Overview>>((answer) => questions.push({ answer, progress, grow }));
  };
  let isHeld = false;
  const names = (files: readonly InputFile[]) => files.map(({ name }) => name).join("+");
  let shown: Shown = shownOf(NOTHING_OPEN);
  const reader = new RecordingReader(
    {
      read: (former, files, _, told) =>
        ask(former === null ? `open ${names(files)}` : `beside ${names(former.files)} ${names(files)}`, told),
      cancel: () => calls.push("cancel"),
      cancelBeside: () => {},
      stop: ({ code }) => calls.push(`stop ${code}`),
      isHeld: () => isHeld,
      released: async () => {
        while (isHeld) await settled();
      },
      painted: async () => true,
    },
    (now) => {
      shown = now;
    },
  );
  const endings = (more: Endings = {}): Endings => ({
    opened: (inputs) => notes.push(`opened ${names(inputs)}`),
    kept: ({ inferred }) => notes.push(`kept ${inferred ? "inferred" : "plain"}`),
    ...more,
  });
  const told = async (given: Result<Overview>) => {
    questions.shift()!.answer(given);
    await settled();
  };
  return {
    reader,
    calls,
    notes,
    questions,
    open: (files: FilesToOpen, more?: Endings) => reader.open(files, PLAIN, endings(more)),
    reread: () => reader.reread(INFERRED, endings()),
    opens: (more?: Partial<Overview>) => told({ ok: true, value: overview(more) }),
    fails: (error: Failure) => told({ ok: false, error }),
    grows: async (more?: Partial<Overview>) => questions[0]?.grow(overview({ isPart: true, ...more })),
    holds: (now: boolean) => {
      isHeld = now;
    },
    shown: () => shown,
    /** Its state in one line. */
    get line() {
      const { state, incoming } = shown;
      const of = (loading: { names: string[]; cancelling: boolean; progress: Progress | null }) =>
        `${names(loading.names.map(file))}${loading.progress === null ? "" : " progress"}${loading.cancelling ? " cancelling" : ""}`;
      const refused = (refusal: { failure: Failure | null; files: InputFile[] } | null) =>
        refusal === null ? "" : ` refused ${refusal.failure?.code ?? "diagnostics"} [${names(refusal.files)}]`;
      const baseOf = () => {
        if (state.phase === "loading") return `loading ${of(state)}`;
        if (state.phase === "empty") return `empty${refused(state.refusal)}`;
        return `open ${names(state.inputs)}${refused(state.refusal)}`;
      };
      const base = baseOf();
      return incoming === null ? base : `${base} | ${of(incoming)}`;
    },
  };
}

/** All promises that are resolved have had their effects. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const PROGRESS = { read: 1, total: 2 } as unknown as Progress;

async function withOpen(...names: string[]) {
  const made = page();
  made.open(names.map(file));
  await made.opens();
  made.calls.length = 0;
  made.notes.length = 0;
  return made;
}

describe("an opening in place", () => {
  it("is fetched, read with progress, and open", async () => {
    const made = page();
    let fetched = (_: InputFile[]) => {};
    made.open(() => new Promise((resolve) => (fetched = resolve)), { again: true });
    expect(made.line).toBe("loading ");
    fetched([file("a"), file("a")]);
    await settled();
    expect(made.line).toBe("loading a+a (2)");
    made.questions[0]!.progress(PROGRESS);
    expect(made.line).toBe("loading a+a (2) progress");
    expect(made.shown().state).toMatchObject({ again: true });
    await made.opens({ inputs: [{ kind: "jfr" }, { kind: "otlp" }] as Overview["inputs"] });
    expect(made.line).toBe("open a+a (2)");
    expect(made.shown()).toMatchObject({ state: { choice: PLAIN, otlp: [{ name: "a (2)" }] }, generation: 1 });
    expect(made.notes).toEqual(["opened a+a (2)"]);
  });

  it("is refused by a failed fetch, a declined one, a lost decoder, and diagnostics", async () => {
    const made = page();
    made.open(() => Promise.reject(new Error("404")));
    await settled();
    expect(made.line).toBe("empty refused fetch []");
    made.open(() => Promise.reject(Object.assign(new Error("no"), { name: "Declined" })));
    await settled();
    expect(made.line).toBe("empty refused declined []");
    made.open([file("a")]);
    await made.fails(LOST);
    expect(made.line).toBe("empty refused worker.died [a]");
    made.open([file("b")]);
    await made.opens({ open: "nothing", inputs: [{ kind: "otlp" }] as Overview["inputs"] });
    expect(made.line).toBe("empty refused diagnostics []");
    expect(made.shown().state).toMatchObject({ otlp: [{ name: "b" }] });
    made.reader.dismiss();
    expect(made.line).toBe("empty");
  });

  it("is withdrawn while it is fetched", async () => {
    const made = page();
    let signal: AbortSignal | undefined;
    made.open((given) => {
      signal = given;
      return new Promise((_, reject) => given.addEventListener("abort", () => reject(new Error("aborted"))));
    });
    made.reader.cancel();
    expect(signal?.aborted).toBe(true);
    await settled();
    expect(made.line).toBe("empty");
    expect(made.calls).toEqual([]);
  });

  it("keeps what was read at the first Cancel, and ends the worker at the second", async () => {
    const made = page();
    made.open([file("a")]);
    made.reader.cancel();
    expect(made.line).toBe("loading a cancelling");
    made.questions[0]!.progress(PROGRESS);
    expect(made.line).toBe("loading a progress cancelling");
    made.reader.cancel();
    expect(made.calls).toEqual(["open a", "cancel", "stop worker.stopped"]);
    await made.fails({ code: "worker.stopped", message: "", lost: true });
    expect(made.line).toBe("empty refused worker.stopped [a]");
    made.reader.cancel();
    expect(made.calls).toHaveLength(3);
  });

  it("shows the samples of a cancelled reading", async () => {
    const made = page();
    made.open([file("a")]);
    made.reader.cancel();
    await made.opens();
    expect(made.line).toBe("open a");
  });

  it("gives way to a newer one, whose answer alone counts", async () => {
    const made = page();
    made.open([file("a")]);
    made.open([file("b")]);
    made.questions[0]!.progress(PROGRESS);
    await made.opens();
    expect(made.line).toBe("loading b");
    await made.opens();
    expect(made.line).toBe("open b");
    expect(made.notes).toEqual(["opened b"]);
  });

  it("ignores progress after the answer", async () => {
    const made = page();
    made.open([file("a")]);
    const { progress } = made.questions[0]!;
    await made.opens();
    progress(PROGRESS);
    expect(made.line).toBe("open a");
  });
});

describe("an opening beside the open recording", () => {
  it("takes its place, and is another generation", async () => {
    const made = await withOpen("a");
    const { state, generation } = made.shown();
    made.open([file("b")]);
    made.questions[0]!.progress(PROGRESS);
    expect(made.line).toBe("open a | b progress");
    expect(made.shown()).toMatchObject({ generation });
    expect(made.shown().state).toBe(state);
    await made.opens();
    expect(made.line).toBe("open b");
    expect(made.shown().generation).toBe(generation + 1);
    expect(made.calls).toEqual(["beside a b"]);
  });

  it("leaves it open where it is refused or cannot be fetched", async () => {
    const made = await withOpen("a");
    made.open([file("b")]);
    await made.opens({ open: "former" });
    expect(made.line).toBe("open a refused diagnostics []");
    made.reader.dismiss();
    made.open([file("b")]);
    await made.fails({ code: "core.memory", message: "" });
    expect(made.line).toBe("open a refused core.memory [b]");
    made.open(() => Promise.reject(new Error("404")));
    await settled();
    expect(made.line).toBe("open a refused fetch []");
    expect(made.shown().generation).toBe(1);
    expect(made.notes).toEqual(["kept plain", "kept plain", "kept plain"]);
  });

  it("is withdrawn at once", async () => {
    const made = await withOpen("a");
    made.open([file("b")]);
    made.reader.cancel();
    expect(made.line).toBe("open a");
    expect(made.notes).toEqual(["kept plain"]);
    await made.opens();
    expect(made.line).toBe("open a");
    expect(made.calls).toEqual(["beside a b"]);
  });

  it("goes on while the decoder of the open recording ends", async () => {
    const made = await withOpen("a");
    made.open([file("b")]);
    made.reader.fail(LOST, made.shown().generation);
    expect(made.line).toBe("empty refused worker.died [a] | b");
    await made.opens();
    expect(made.line).toBe("open b");
  });

  it("closes the open recording first where there is no memory for both", async () => {
    const made = await withOpen("a");
    made.open([file("a"), file("b")], { alone: true });
    expect(made.line).toBe("loading a+b");
    expect(made.calls).toEqual(["stop worker.stopped", "open a+b"]);
    await made.opens();
    expect(made.line).toBe("open a+b");
  });
});

describe("a recording that grows", () => {
  async function growing() {
    const made = page();
    made.open([file("a")]);
    await settled();
    await made.grows({ bytesHeld: 1 });
    return made;
  }

  it("is open before it is read, stays the same one, and is opened once", async () => {
    const made = await growing();
    expect(made.line).toBe("open a | a");
    expect(made.shown().incoming).toMatchObject({ isShown: true });
    await made.grows({ bytesHeld: 2 });
    expect(made.shown()).toMatchObject({ state: { overview: { bytesHeld: 2 } }, generation: 1 });
    await made.opens();
    expect(made.line).toBe("open a");
    expect(made.shown()).toMatchObject({ state: { overview: { bytesHeld: 7 } }, generation: 1 });
    expect(made.notes).toEqual(["opened a"]);
  });

  it("does not change what the user points at, in the end neither", async () => {
    const made = await growing();
    made.holds(true);
    await made.grows({ bytesHeld: 2 });
    await made.opens();
    expect(made.shown()).toMatchObject({ state: { overview: { bytesHeld: 1 } } });
    made.holds(false);
    await settled();
    await settled();
    expect(made.line).toBe("open a");
    expect(made.shown()).toMatchObject({ state: { overview: { bytesHeld: 7 } } });
  });

  it("is kept where the reading is cancelled or fails", async () => {
    const made = await growing();
    made.reader.cancel();
    expect(made.line).toBe("open a | a cancelling");
    expect(made.calls).toEqual(["open a", "cancel"]);
    await made.fails({ code: "core.samples", message: "" });
    expect(made.line).toBe("open a refused core.samples [a]");
  });

  it("takes the place of another one as soon as it is open", async () => {
    const made = await withOpen("a");
    made.open([file("b")]);
    expect(made.line).toBe("open a | b");
    await made.grows();
    expect(made.line).toBe("open b | b");
    expect(made.shown()).toMatchObject({ incoming: { isShown: true }, generation: 2 });
    made.reader.cancel();
    expect(made.calls).toEqual(["beside a b", "cancel"]);
    await made.opens();
    expect(made.line).toBe("open b");
    expect(made.shown().generation).toBe(2);
    expect(made.notes).toEqual(["opened b"]);
  });

  it("is closed by other files, and by the end of its decoder", async () => {
    const made = await growing();
    made.open([file("b")]);
    expect(made.line).toBe("loading b");
    await made.fails({ code: "superseded", message: "" });
    await made.grows();
    expect(made.line).toBe("open b | b");
    made.reader.fail(LOST, made.shown().generation);
    await made.fails({ code: "superseded", message: "" });
    expect(made.line).toBe("empty refused worker.died [b]");
  });
});

describe("the open recording", () => {
  it("is read again with other options, and the former ones are kept if that fails", async () => {
    const made = await withOpen("a");
    made.reread();
    expect(made.line).toBe("loading a");
    await made.opens();
    expect(made.shown()).toMatchObject({ state: { phase: "open", choice: INFERRED }, generation: 2 });
    made.reread();
    await made.fails({ code: "core.memory", message: "" });
    expect(made.line).toBe("open a refused core.memory [a]");
    expect(made.notes).toEqual(["opened a", "kept inferred"]);
  });

  it("is not open beside its own second reading", async () => {
    const made = await withOpen("a");
    made.reread();
    made.open([file("b")]);
    expect(made.line).toBe("loading b");
    expect(made.calls).toEqual(["open a", "open b"]);
    await made.fails(LOST);
    await made.fails(LOST);
    expect(made.line).toBe("empty refused worker.died [b+a]");
  });

  it("is lost with its decoder, once, and its files are offered", async () => {
    const made = await withOpen("a", "b");
    const { generation } = made.shown();
    made.reader.fail(LOST, generation - 1);
    expect(made.line).toBe("open a+b");
    made.reader.fail(LOST, generation);
    expect(made.line).toBe("empty refused worker.died [a+b]");
    expect(made.shown().state).toMatchObject({ refusal: { byQuestion: true } });
    made.reader.fail({ ...LOST, code: "worker.other" }, generation);
    expect(made.line).toBe("empty refused worker.died [a+b]");
  });

  it("is read by another worker after a restart", async () => {
    const made = await withOpen("a");
    made.reader.restart(INFERRED);
    expect(made.calls).toEqual(["stop worker.stopped", "open a"]);
    expect(made.line).toBe("loading a");
    await made.opens();
    expect(made.shown()).toMatchObject({ state: { phase: "open", choice: INFERRED } });
  });

  it("is closed by an opening of no files, also while others are read", async () => {
    const made = await withOpen("a");
    made.open([file("b")]);
    made.open([]);
    expect(made.line).toBe("empty");
    await made.opens();
    expect(made.line).toBe("empty");
    expect(made.shown().generation).toBe(2);
  });
});

describe("a collection", () => {
  it("stays while its files are opened, closed and lost, until others take its place", async () => {
    const made = page();
    const [first, second] = [
      { files: [file("a"), file("b")], beside: [] },
      { files: [file("c")], beside: [] },
    ];
    made.reader.collect(first);
    expect([made.line, made.calls]).toEqual(["empty", []]);
    made.open([file("a")]);
    expect(made.shown().collection).toBe(first);
    await made.opens();
    made.open([]);
    expect(made.shown()).toMatchObject({ state: { phase: "empty" }, collection: first });
    made.open([file("b")]);
    made.reader.collect(second);
    expect(made.line).toBe("loading b");
    await made.opens();
    made.reader.fail(LOST, made.shown().generation);
    expect(made.shown().collection).toBe(second);
    made.reader.collect(null);
    expect(made.shown().collection).toBe(null);
  });
});

describe("an event that comes too late", () => {
  const began: OpeningEvent = { kind: "began", isBeside: false, again: false };
  const fetched: OpeningEvent = { kind: "fetched", inputs: [file("a")] };
  const progressed: OpeningEvent = { kind: "progressed", progress: PROGRESS };
  const cancelled: OpeningEvent = { kind: "cancelled" };
  const refused: OpeningEvent = {
    kind: "refused",
    isKept: false,
    refusal: { failure: LOST, diagnostics: [], summaries: [] },
    otlp: [],
  };
  it.each([
    ["idle", [], [fetched, progressed, cancelled, refused]],
    ["fetching", [began], [progressed]],
    ["reading", [began, fetched], [fetched]],
    ["cancelling", [began, fetched, cancelled], [fetched, cancelled]],
  ] as const)("changes nothing: %s", (_, before, late) => {
    const now = before.reduce(after, NOTHING_OPEN);
    for (const event of late) expect(after(now, event)).toBe(now);
  });
});
