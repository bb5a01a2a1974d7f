import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Asking, asking } from "../../test/kit/asking.ts";
import type { ByteSource } from "../bytes/byte-source.ts";
import { SpanflameError } from "../core/instance/error.ts";
import type { WriteOptions } from "../core/types.ts";
import { EngineMissing, Pattern } from "../pattern/pattern.ts";
import type { Query } from "./api.ts";
import { Session } from "./session.ts";

/** Behaviour of the substitutes for core and reader, and the calls that they received. */
/** The core of these tests infers nothing. */
const PLAIN = { extra: [], inferred: false };

const world = vi.hoisted(() => ({
  read: (_hooks: { cancelled: () => boolean }, _inputs: { source: ByteSource }[]): Promise<void> => Promise.resolve(),
  frames: (): unknown => ({}),
  held: 0,
  limits: [] as number[],
  diagnostics: [] as unknown[],
}));

vi.mock("../core/core.ts", () => {
  class Views {
    timeBounds = () => null;
    timeRows = () => [];
    hasAddressed = () => false;
    frames = () => world.frames();
    libraries = new Map();
    uploads = new Map();
    selectionStamp = 0;
    choose = () => {};
    shape = () => {};
    totals = () => ({ samples: 9, value: 9n });
    rank() {
      return { count: 1, offset: 0, rows: [{ label: "x".repeat(1_000_000), about: "" }] };
    }
    rankOf = () => null;
  }
  class Core {
    static instantiate = () => Promise.resolve(new Core());
    files = () => [];
    profiles = () => [];
    attributeKeys = () => [];
    diagnostics = () => world.diagnostics;
    eventTypes = () => [];
    settings = () => [];
    samples = () => 0;
    write = () => ({ bytes: new Uint8Array(5), size: 5, profiles: 1, samples: 1, observations: 2 });
    views = new Views();
    instance = {
      generation: 0,
      files: [],
      wasm: {
        spanCount: { value: 0 },
        observationCount: { value: 0 },
        sourceCount: () => 1,
        labelThreads: () => false,
      },
    };
    bytesHeld = () => world.held;
    normaliseNames() {}
    idNames() {}
    complete(): Promise<void> {
      return Promise.resolve();
    }
    loadLosses(): Promise<void> {
      return Promise.resolve();
    }

    limitMemory = (bytes: number) => {
      world.limits.push(bytes);
    };
    writeTo(_profile: unknown, _filter: unknown, options: WriteOptions, sink: (part: Uint8Array) => void) {
      sink(new Uint8Array(3));
      options.payload?.put();
      return { size: 3, profiles: 1, samples: 1, observations: 2 };
    }
  }
  return { Core };
});
vi.mock("../input/open.ts", () => ({
  readInputs: (_core: unknown, inputs: { source: ByteSource }[], hooks: { cancelled: () => boolean }) =>
    world.read(hooks, inputs).then(() => ({ runs: [] })),
}));

const ALL: Query = { profile: 0, measure: 0, filter: {} };
const WRITE = { profile: null, filter: {}, options: { format: "otlp-json" } } as const;
const DOWNLOAD = { ...WRITE, gzip: false, withRecordings: false };
const REQUEST = { focus: 0, width: 100 };

function session(): Asking<Session> {
  return asking(new Session({ first: () => Promise.resolve({} as WebAssembly.Module) }));
}

async function opened(): Promise<Asking<Session>> {
  const made = session();
  await made.open([], PLAIN, () => {});
  return made;
}

beforeEach(() => {
  world.read = () => Promise.resolve();
  world.frames = () => ({});
  world.held = 0;
  world.diagnostics = [];
});

describe("Session", () => {
  it("refuses questions before a recording is open", async () => {
    expect(await session().totals(ALL)).toMatchObject({ ok: false, error: { code: "closed" } });
  });

  it("loads the engine for patterns when a question needs it, and asks again", async () => {
    const made = await opened();
    const found = vi.fn(() => Pattern.of("a[bc]").test("xab"));
    world.frames = () => {
      throw new SpanflameError("filter.pattern", String(found()));
    };
    expect(found).toThrow(EngineMissing);
    expect(await made.frames(ALL, REQUEST)).toMatchObject({ error: { code: "filter.pattern", message: "true" } });
    expect(found).toHaveBeenCalledTimes(3);
  });

  it("hands a download over as a Blob", async () => {
    const answer = await (await opened()).download(DOWNLOAD);
    expect(answer).toMatchObject({ ok: true, value: { samples: 1, observations: 2 } });
    if (answer.ok) expect([answer.value.blob.size, answer.value.blob.type]).toEqual([3, "application/json"]);
  });

  it("packs a download where that is asked for", async () => {
    const answer = await (await opened()).download({ ...DOWNLOAD, gzip: true });
    if (!answer.ok) throw new Error(answer.error.message);
    const { blob } = answer.value;
    expect([...new Uint8Array(await blob.slice(0, 2).arrayBuffer())]).toEqual([0x1f, 0x8b]);
    const message = await new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    expect(message.byteLength).toBe(3);
  });

  it("includes plain recordings as they are, and no others", async () => {
    const file = (name: string, ...bytes: number[]) => ({ name, blob: new Blob([Uint8Array.from(bytes)]) });
    const plain = file("a.jfr", 0x46, 0x4c, 0x52, 0, 9);
    const request = { ...DOWNLOAD, withRecordings: true };
    const made = session();
    expect(await made.open([plain, plain], PLAIN, () => {})).toMatchObject({
      value: { inputs: [{ kind: "jfr" }, {}] },
    });
    expect(await made.download(request)).toMatchObject({ value: { blob: { size: 3 + 5 + 5 } } });
    await made.open([plain, file("notes.txt", 0x68)], PLAIN, () => {});
    expect(await made.download(request)).toMatchObject({ ok: false, error: { code: "payload" } });
  });

  it("hands messages for a receiver over, none where there are no samples", async () => {
    expect(await (await opened()).messages(WRITE)).toMatchObject({
      value: [{ type: null, oversized: false, observations: 2, blob: { size: 5 } }],
    });
  });

  it("cuts names before they cross", async () => {
    const answer = await (await opened()).rank(ALL, { kind: "attribute", key: "k" }, 0, 1);
    expect(answer.ok && answer.value.rows[0].label.length).toBeLessThan(5000);
  });

  it("keeps what was read when cancelled", async () => {
    const made = session();
    world.read = async (hooks) => {
      while (!hooks.cancelled()) await new Promise((resolve) => setTimeout(resolve));
    };
    const answer = made.open([], PLAIN, () => {});
    await new Promise((resolve) => setTimeout(resolve));
    made.cancel();
    expect(await answer).toMatchObject({ ok: true, value: { cancelled: true } });
    expect((await made.totals(ALL)).ok).toBe(true);
  });

  it("ends an older open when a newer one starts", async () => {
    const made = session();
    world.read = async (hooks) => {
      while (!hooks.cancelled()) await new Promise((resolve) => setTimeout(resolve));
    };
    const older = made.open([], PLAIN, () => {});
    await new Promise((resolve) => setTimeout(resolve));
    world.read = () => Promise.resolve();
    expect((await made.open([], PLAIN, () => {})).ok).toBe(true);
    expect(await older).toMatchObject({ ok: false, error: { code: "superseded" } });
    expect((await made.totals(ALL)).ok).toBe(true);
  });

  describe("while other files are opened", () => {
    const refused = () => Promise.reject(new WebAssembly.RuntimeError("unreachable"));

    it("keeps the former recording until there is another one", async () => {
      const made = await opened();
      world.read = refused;
      expect(await made.open([], PLAIN, () => {})).toMatchObject({ error: { code: "core.trap", lost: false } });
      expect((await made.totals(ALL)).ok).toBe(true);
      world.read = () => Promise.resolve();
      world.diagnostics = [{ severity: "error" }];
      expect(await made.open([], PLAIN, () => {})).toMatchObject({ value: { open: "former" } });
      expect((await made.totals(ALL)).ok).toBe(true);
      world.diagnostics = [];
      expect(await made.open([], PLAIN, () => {})).toMatchObject({ value: { open: "these" } });
    });

    it("keeps none that takes much memory", async () => {
      const made = await opened();
      world.held = 2 ** 30 + 1;
      world.read = refused;
      expect(await made.open([], PLAIN, () => {})).toMatchObject({ error: { lost: true } });
      expect(await made.totals(ALL)).toMatchObject({ error: { code: "closed", lost: true } });
    });

    it("has nothing open where nothing was", async () => {
      world.diagnostics = [{ severity: "error" }];
      const made = session();
      expect(await made.open([], PLAIN, () => {})).toMatchObject({ value: { open: "nothing" } });
      expect(await made.totals(ALL)).toMatchObject({ error: { code: "closed", lost: true } });
    });

    it("reads beside another recording into the room that it leaves, or not at all", async () => {
      const files = [{ name: "new.jfr", blob: new Blob() }];
      const beside = { files: [{ name: "old.jfr", blob: new Blob() }], room: 2 ** 31 };
      const made = session();
      expect(await made.open(files, PLAIN, () => {}, beside)).toMatchObject({ value: { open: "these" } });
      expect(world.limits).toEqual([2 ** 31, 2 ** 32]);
      world.diagnostics = [{ severity: "error", code: "core.full" }];
      expect(await session().open(files, PLAIN, () => {}, beside)).toMatchObject({
        error: {
          code: "open.room",
          message: expect.stringContaining("new.jfr does not fit into memory beside old.jfr"),
        },
      });
    });

    it("keeps the former one if one of its files cannot be read again", async () => {
      const file = (name: string) => ({ name, blob: new Blob([Uint8Array.of(1)]) });
      const changed = file("a.jfr");
      const made = session();
      // As the reader does: a diagnostic about one input, and the others are read.
      world.read = async (_, inputs) => {
        for (const { source } of inputs) await source.slice(0, 1).catch(() => {});
      };
      await made.open([changed], PLAIN, () => {});
      changed.blob.slice = () => {
        throw Object.assign(new Error("typically due to permission problems"), { name: "NotReadableError" });
      };
      const failing = await made.open([changed, file("b.jfr")], PLAIN, () => {});
      expect(failing).toMatchObject({ error: { code: "file.changed", lost: false } });
      expect(failing).toMatchObject({ error: { message: expect.stringContaining("a.jfr could not be read") } });
      expect((await made.totals(ALL)).ok).toBe(true);
      // It was not open before: the others are.
      const other = session();
      await other.open([file("b.jfr")], PLAIN, () => {});
      expect(await other.open([changed, file("b.jfr")], PLAIN, () => {})).toMatchObject({ value: { open: "these" } });
    });
  });

  it("drops the core after a trap, and only then; later questions are told of it, too", async () => {
    const made = await opened();
    world.frames = () => {
      throw new Error("no such node");
    };
    expect(await made.frames(ALL, REQUEST)).toMatchObject({ error: { code: "internal", message: "no such node" } });
    expect((await made.totals(ALL)).ok).toBe(true);
    world.frames = () => {
      throw new WebAssembly.RuntimeError("unreachable");
    };
    expect(await made.frames(ALL, REQUEST)).toMatchObject({ error: { code: "core.trap" } });
    expect(await made.totals(ALL)).toMatchObject({ error: { code: "core.trap", lost: true } });
    world.diagnostics = [{ severity: "error" }];
    expect(await made.open([], PLAIN, () => {})).toMatchObject({ value: { open: "nothing" } });
    expect(await made.totals(ALL)).toMatchObject({ error: { code: "closed" } });
  });
});
