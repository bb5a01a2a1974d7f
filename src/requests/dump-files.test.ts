/** Dumps among the files of the page. */
import { expect, it } from "vitest";
import { asFolder, asStreamFiles, writeStreams } from "../../test/kit/cdt/cdt-writer.ts";
import { emptyCore } from "../../test/kit/core/read-store.ts";
import type { InputFile } from "./api/api.ts";
import { groupDumps, readGrouped } from "./dump-files.ts";

const START = Date.UTC(2024, 1, 3);
const METHOD = "void shop.Cart.checkout() (Cart.java:7) [shop.jar]";
const { streams } = writeStreams({
  start: START,
  calls: [
    {
      threadId: 1,
      thread: "main",
      at: START,
      root: { method: METHOD, before: 0, after: 100, children: [] },
      isRecorded: true,
      reactive: 0,
      params: {},
    },
  ],
});
const blob = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]);

function folder(name: string, files: Readonly<Record<string, Uint8Array>>): InputFile {
  const parts = Object.entries(files).map(([path, bytes]) => ({ path, blob: blob(bytes) }));
  return { name, blob: new Blob(), parts };
}

it("are folders, and stream files beside each other; all else is left", async () => {
  const files = [
    folder("dump", asFolder(streams, `dump/web/2024/02/03/${START}`)),
    ...Object.entries(asStreamFiles(streams, "pod-1")).map(([name, bytes]) => ({ name, blob: blob(bytes) })),
    { name: "shop.trace.json", blob: blob(new TextEncoder().encode("{}")) },
    { name: "shop.jfr", blob: new Blob() },
  ];
  const grouped = await groupDumps(files);
  expect(grouped.runs.map(({ label, container, input }) => [label, container, input])).toEqual([
    [`web/${START}`, "directory", "dump"],
    ["pod-1", "streams", undefined],
  ]);
  expect(grouped.rest.map(({ name }) => name)).toEqual(["shop.trace.json", "shop.jfr"]);
  const core = await emptyCore();
  const progress: number[] = [];
  const opened = await readGrouped(core, grouped, { onProgress: ({ bytes }) => void progress.push(bytes) });
  expect(opened.map(({ number }) => number)).toEqual([0, 1]);
  expect((await core.dumps()).callCount).toBe(2);
  expect(progress.at(-1)).toBeGreaterThan(0);
});

it("need calls or a trace: another folder stays a file", async () => {
  const { dictionary } = streams;
  const file = folder("words", asFolder({ dictionary: dictionary! }, "words/web"));
  expect(await groupDumps([file])).toMatchObject({ runs: [], rest: [file] });
});
