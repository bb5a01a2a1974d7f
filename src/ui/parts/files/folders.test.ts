import { describe, expect, it } from "vitest";
import { droppedFolders } from "../../shell/open/dropped-folders.ts";
import { namedApart } from "./inputs.ts";

type Tree = string | { [name: string]: Tree };

/** What a browser gives for a dropped file or folder: readers hand out two entries at a time. */
function entry(name: string, tree: Tree): FileSystemEntry {
  if (typeof tree === "string") {
    const file = (then: (file: File) => void) => then(new File([tree], name));
    return { name, isFile: true, isDirectory: false, file } as unknown as FileSystemEntry;
  }
  const createReader = () => {
    const left = Object.entries(tree).map(([child, below]) => entry(child, below));
    return { readEntries: (then: (some: FileSystemEntry[]) => void) => then(left.splice(0, 2)) };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

const dropped = (...entries: FileSystemEntry[]) =>
  entries.map((each) => ({ webkitGetAsEntry: () => each })) as unknown as DataTransferItemList;

describe("a dropped folder", () => {
  it("gives the recordings in it, by their path, and the rest as files that may have symbols", async () => {
    const folder = entry("run", {
      "z.jfr": "z",
      "readme.txt": "",
      deep: { deeper: { "a.jfr.gz": "a", "b.JFR": "b", "c.pprof": "c" }, "notes.md": "" },
      "all.zip": "zip",
      src: { "Main.java": "" },
    });
    const read = droppedFolders(dropped(folder, entry("beside.bin", "taken as it is")));
    const all = (await read?.()) ?? [];
    const rest = ["run/deep/notes.md", "run/readme.txt", "run/src/Main.java"];
    expect(all.filter(({ onlySymbols }) => onlySymbols).map(({ name }) => name)).toEqual(rest);
    const files = all.filter(({ onlySymbols }) => onlySymbols !== true);
    expect(files.map(({ name }) => name)).toEqual([
      "run/all.zip",
      "run/deep/deeper/a.jfr.gz",
      "run/deep/deeper/b.JFR",
      "run/deep/deeper/c.pprof",
      "run/z.jfr",
      "beside.bin",
    ]);
    expect(await Promise.all(files.map(({ blob }) => blob.text()))).toEqual([
      "zip",
      "a",
      "b",
      "c",
      "z",
      "taken as it is",
    ]);
  });

  it("with a dump is one file with parts, beside the recordings in it", async () => {
    const run = { calls: { "000001.gz": "c" }, trace: { "000001.gz": "t" }, "gc.log": "", "calls[10ms-20ms]": {} };
    const folder = entry("dump", { web: { "2024": { "02": { "03": { "17": run } } } }, "a.jfr": "j" });
    const files = (await droppedFolders(dropped(folder))?.()) ?? [];
    expect(files.map(({ name, parts }) => [name, parts?.map(({ path }) => path)])).toEqual([
      ["dump", ["dump/web/2024/02/03/17/calls/000001.gz", "dump/web/2024/02/03/17/trace/000001.gz"]],
      ["dump/a.jfr", undefined],
      ["dump/web/2024/02/03/17/gc.log", undefined],
    ]);
    const other = entry("other", { "backup.sql.gz": "", "b.jfr": "" });
    expect(((await droppedFolders(dropped(other))?.()) ?? []).map(({ name }) => name)).toEqual(["other/b.jfr"]);
  });

  it("with more recordings than anyone means is refused", async () => {
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`${i}.jfr`, ""]));
    await expect(droppedFolders(dropped(entry("many", many)))?.()).rejects.toThrow(/more than 500/);
  });

  it("is not what files are", () => {
    expect(droppedFolders(dropped(entry("a.jfr", "")))).toBeNull();
    expect(droppedFolders(undefined)).toBeNull();
  });
});

it("files of one name are told apart", () => {
  const blob = new Blob([]);
  const names = (...list: string[]) => namedApart(list.map((name) => ({ name, blob }))).map(({ name }) => name);
  expect(names("a", "b", "a", "a")).toEqual(["a", "b", "a (2)", "a (3)"]);
  expect(names("a", "a (2)", "a")).toEqual(["a", "a (2)", "a (3)"]);
});
