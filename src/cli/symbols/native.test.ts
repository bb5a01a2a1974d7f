/** Names and lines of libraries as compilers make them, beside what llvm-symbolizer says. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { COMPILE, compareWithLlvm, needTools, runTool, writeUnits } from "../../../test/kit/native/llvm.ts";
import { buildCli, callCli } from "../../../test/kit/run-cli.ts";

let folder: string;
let units: string[];
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-native-"));
  units = writeUnits(folder);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const MACH_O = needTools("clang", "ld64.lld", "dsymutil", "llvm-symbolizer", "llvm-nm", "llvm-lipo", "llvm-dwarfdump");

MACH_O.describe("a library of macOS", () => {
  const build = (processor: string, library: string) => {
    const objects = units.map((unit) => {
      const object = `${unit}.${processor}.o`;
      runTool(
        folder,
        "clang",
        "-target",
        `${processor}-apple-macos11`,
        ...COMPILE,
        "-g",
        "-c",
        `${unit}.cpp`,
        "-o",
        object,
      );
      return object;
    });
    const link = [
      "-arch",
      processor,
      "-platform_version",
      "macos",
      "11.0",
      "11.0",
      "-dylib",
      "-undefined",
      "dynamic_lookup",
    ];
    runTool(folder, "ld64.lld", ...link, ...objects, "-o", library);
    runTool(folder, "dsymutil", library, "-o", `${library}.dSYM`);
    return `${library}.dSYM/Contents/Resources/DWARF/${library}`;
  };
  let debug: string;
  let other: string;
  beforeAll(() => {
    debug = build("x86_64", "libshop.dylib");
    other = build("arm64", "libshop-arm.dylib");
  });

  MACH_O.it("has the functions and lines of its dSYM, by its UUID", async () => {
    // The file of the library is found in the folder by its UUID.
    const { addresses, inlined, codes } = await compareWithLlvm(folder, debug, ["libshop.dylib"]);
    expect([addresses, codes]).toEqual([200, []]);
    expect(inlined).toBeGreaterThan(40);
  });

  MACH_O.it("of another processor has them, too", async () => {
    expect((await compareWithLlvm(folder, other, [])).inlined).toBeGreaterThan(20);
  });

  MACH_O.it("has names without its dSYM", async () => {
    const { out } = await callCli([
      "symbolize",
      "--symbols",
      join(folder, "libshop.dylib"),
      "--json",
      addressOf("plain0"),
    ]);
    expect(JSON.parse(out.toString())).toMatchObject({
      module: { files: [{ symbols: ".symtab", lines: false, inlines: false }] },
      results: [{ frames: [{ function: "plain0", linkageName: "plain0", file: "", line: 0 }] }],
      diagnostics: [],
    });
  });

  MACH_O.it("is a part of a universal file", async () => {
    runTool(folder, "llvm-lipo", "-create", debug, other, "-output", "both");
    const uuid = /UUID: (\S+)/.exec(runTool(folder, "llvm-dwarfdump", "--uuid", debug))?.[1] ?? "";
    const { out } = await callCli([
      "symbolize",
      "--symbols",
      join(folder, "both"),
      "--module",
      uuid,
      "--json",
      addressOf("plain1"),
    ]);
    expect(JSON.parse(out.toString())).toMatchObject({
      module: {
        buildId: uuid.replaceAll("-", "").toLowerCase(),
        files: [{ path: join(folder, "both!x86_64"), lines: true }],
      },
      results: [{ frames: [{ function: "plain1", line: 14 }] }],
    });
  });

  function addressOf(name: string): string {
    const address = new RegExp(`^([0-9a-f]+) T _${name}$`, "m").exec(runTool(folder, "llvm-nm", debug))?.[1];
    return `0x${address}`;
  }
});
