/** Modules of Java as libraries of the samples in whose functions they were running. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readOnlyNeeded } from "../../../src/core/reading/read-filter.ts";
import { readInputs } from "../../../src/input/open.ts";
import { libraryOf } from "../../../src/requests/library-marks.ts";
import { openFiles } from "../../../src/requests/open-files.ts";
import { emptyCore, profilesOf } from "../../kit/core/read-store.ts";
import { buildChunk, type ChunkSpec } from "../../kit/jfr/jfr-builder.ts";
import { Constants, CPU, cpuItem, cpuType, JVM_TYPES, MODULE_TYPES } from "../../kit/jfr/jfr-types.ts";

type Modules = ConstructorParameters<typeof Constants>[1];
const MODULES: Modules = {
  "java/util": ["java.base", "17.0.15"],
  "com/acme/shop": ["com.acme.shop", "1.4.2"],
  "com/acme/tax": ["com.acme.tax", null],
};

/** A sample for each class, running in its method `run`; `isPlain`: as recorders write it that know no modules. */
function chunkOf(classes: string[], isPlain = false, modules = MODULES): Uint8Array {
  const c = new Constants(1n, modules);
  const items = classes.map((className, i) =>
    cpuItem(c, {
      at: BigInt(i),
      stack: {
        frames: [
          { className, method: "run" },
          { className: "java/util/Map", method: "get" },
        ],
      },
    }),
  );
  const pools = c.all().filter(({ type }) => !isPlain || !/Package|Module/.test(type));
  const chunk: ChunkSpec = {
    types: [...(isPlain ? JVM_TYPES : MODULE_TYPES), cpuType([], CPU)],
    items: [...items, { checkpoint: pools }],
  };
  return buildChunk(chunk).bytes;
}

const opened = (...files: Uint8Array[]) => openedBy(() => {}, ...files);

async function openedBy(need: (core: Core) => void, ...files: Uint8Array[]): Promise<Core> {
  const core = await emptyCore();
  const inputs = files.map((bytes, i) => ({ name: `${i}.jfr`, source: bytesSource(bytes) }));
  await openFiles(core, { need, recordings: () => readInputs(core, inputs) });
  return core;
}

/** Library and version by the function that was running. */
const librariesOf = (core: Core) =>
  Object.fromEntries(
    profilesOf(core).flatMap(({ samples }) =>
      samples.map(({ stack, attributes }) => [stack[0]?.name, [attributes.library, attributes["library.version"]]]),
    ),
  );

describe("a module", () => {
  it("is the library of the function that was running, with its version", async () => {
    const core = await opened(chunkOf(["java/util/Map", "com/acme/shop/Cart", "com/acme/tax/Rates", "org/other/Main"]));
    expect(librariesOf(core)).toEqual({
      "java.util.Map.run": ["java.base", "17.0.15"],
      "com.acme.shop.Cart.run": ["com.acme.shop", "1.4.2"],
      "com.acme.tax.Rates.run": ["com.acme.tax", undefined],
      "org.other.Main.run": [undefined, undefined],
    });
    core.select(null, {});
    const { instance } = core;
    const nameOf = (text: string) => instance.lend(Buffer.from(text), (p, n) => instance.wasm.findName(p, n) >>> 0);
    const place = (text: string) => core.views.placeOf(nameOf(text)).library;
    expect(place("java.util.Map.get")).toBe("java.base 17.0.15");
    expect(place("org.other.Main.run")).toBeUndefined();
  });

  it("is that of its package where another recorder wrote the function, whatever samples are read", async () => {
    const plain = chunkOf(["java/util/List", "java/util/concurrent/Future"], true);
    const stated = chunkOf(["java/util/Map"]);
    const others = {
      "java.util.List.run": ["java.base", "17.0.15"],
      "java.util.concurrent.Future.run": [undefined, undefined],
    };
    for (const files of [
      [plain, stated],
      [stated, plain],
    ]) {
      expect(librariesOf(await opened(...files))).toMatchObject(others);
    }
    // Nothing of the second chunk is wanted.
    const early = await openedBy(
      (core) => readOnlyNeeded(core, { filter: { time: { from: 0n, to: 1n } }, stacks: true, all: false }),
      stated,
    );
    expect(early.instance.wasm.sourceCount()).toBeGreaterThan(1);
  });

  it("has no version where processes have several, and none is named for a package of several modules", async () => {
    const later = chunkOf(["java/util/Map", "com/acme/shop/Cart"], false, {
      "java/util": ["java.base", "21.0.2"],
      "com/acme/shop": ["com.acme.other", null],
    });
    const core = await opened(chunkOf(["java/util/Map", "com/acme/shop/Cart"]), later);
    expect(librariesOf(core)).toEqual({
      "java.util.Map.run": ["java.base", undefined],
      "com.acme.shop.Cart.run": [undefined, undefined],
    });
  });

  it("of the JDK counts as a library in colours, and that of an application does not", async () => {
    const core = await opened(chunkOf(["java/util/Map", "com/acme/shop/Cart"]));
    core.select(null, {});
    const isLibrary = core.views.ofLibraries(["java.util.Map.run", "com.acme.shop.Cart.run", "java.util.Map.get"]);
    expect([...(isLibrary ?? [])]).toEqual([1, 0, 1]);
  });

  it("is in a recording of the JDK, and none in one of ddprof alone", async () => {
    const read = (name: string) =>
      opened(new Uint8Array(readFileSync(new URL(`../../../fixtures/recorded/${name}.jfr`, import.meta.url))));
    const kept = librariesOf(await read("jdk17-profile"));
    expect(Object.values(kept)).toContainEqual(["java.base", "17.0.15"]);
    expect((await read("dd152-jdk17-all")).attributeKeys()).not.toContain("library");
  });
});

it.each([
  ["java.base@17.0.15", "java.base", "17.0.15", "standard library"],
  ["com.acme.shop", "com.acme.shop", "", "module"],
  ["lib/guava-31.1-jre.jar", "guava", "31.1-jre", "module"],
  ["log4j-1.2-api-2.17.1.jar", "log4j-1.2-api", "2.17.1", "module"],
  ["profiler-runtime.jar", "profiler-runtime", "", "module"],
])("%s is %s of version %s", (text, name, version, kind) => {
  expect(libraryOf(text)).toEqual({ kind, name, version, paths: [text] });
});
