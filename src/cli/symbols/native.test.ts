/** Names and lines of libraries as compilers make them, beside what llvm-symbolizer says. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
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

const LINUX = ["g++", "clang", "llvm-symbolizer", "llvm-nm"];
const SPLIT = needTools(...LINUX, "llvm-dwp");
const DWZ = needTools(...LINUX, "dwz");

/** Compiles and links the units; files are below a folder of the name. */
function link(compiler: string, name: string, flags: readonly string[]): string {
  const objects = units.map((unit) => {
    runTool(folder, compiler, ...COMPILE, ...flags, "-c", `${unit}.cpp`, "-o", join(name, `${unit}.o`));
    return join(name, `${unit}.o`);
  });
  const library = join(name, "libshop.so");
  runTool(folder, "g++", "-shared", "-nostdlib", "-Wl,--build-id", ...objects, "-o", library);
  return library;
}

SPLIT.describe("debug information that was split off", () => {
  for (const [compiler, version] of [
    ["g++", 4],
    ["g++", 5],
    ["clang", 4],
    ["clang", 5],
  ] as const) {
    // llvm-dwp 14 never ends with the files of gcc for DWARF 5.
    const hasPackage = compiler === "clang" || version === 4;
    SPLIT.it(
      `is read from .dwo files${hasPackage ? " and a package" : ""}: ${compiler}, DWARF ${version}`,
      async () => {
        const name = `${compiler}-${version}`;
        for (const each of [name, `${name}-split`]) mkdirSync(join(folder, each));
        const whole = link(compiler, name, [`-gdwarf-${version}`]);
        const split = link(compiler, `${name}-split`, [`-gdwarf-${version}`, "-gsplit-dwarf"]);
        const { codes, inlined } = await compareWithLlvm(folder, split, [`${name}-split`], { truth: whole });
        expect(codes).toEqual([]);
        expect(inlined).toBeGreaterThan(20);
        if (hasPackage) {
          runTool(folder, "llvm-dwp", "-e", split, "-o", `${name}.dwp`);
          expect(await compareWithLlvm(folder, split, [`${name}.dwp`], { truth: whole })).toEqual({
            addresses: 200,
            inlined,
            codes: [],
          });
        }
        // What is missing is named; the rest is there.
        rmSync(join(folder, `${name}-split`, "unit2.dwo"));
        const { results, diagnostics } = await ask(split, [`${name}-split`], whole);
        expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
          ["dwarf.split", expect.stringMatching(/a unit is in .*unit2\.dwo/)],
        ]);
        expect(results.filter(({ frames }) => frames.length > 1).length).toBeGreaterThan(5);
      },
    );
  }
});

DWZ.describe("debug information that dwz moved to a supplement", () => {
  for (const [style, flags] of [
    ["of GNU", []],
    ["of DWARF 5", ["--dwarf-5"]],
  ] as const) {
    for (const version of [4, 5]) {
      DWZ.it(`${style} is read from it: DWARF ${version}`, async () => {
        const name = `dwz-${version}-${flags.length}`;
        mkdirSync(join(folder, name));
        const whole = link("g++", name, [`-gdwarf-${version}`]);
        const [first, second] = [join(name, "first.so"), join(name, "second.so")];
        for (const copy of [first, second]) copyFileSync(join(folder, whole), join(folder, copy));
        runTool(folder, "dwz", ...flags, "-m", join(name, "shared"), first, second);
        const { codes, inlined } = await compareWithLlvm(folder, first, [join(name, "shared")], { truth: whole });
        expect(codes).toEqual([]);
        expect(inlined).toBeGreaterThan(20);
        const { results, diagnostics } = await ask(first, [], whole);
        expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
          ["dwarf.alternate", expect.stringContaining("shared")],
        ]);
        expect(results.every(({ frames }) => frames.length > 0)).toBe(true);
      });
    }
  }
});

/** Some addresses of a library, by those of a file with symbols. */
async function ask(library: string, symbols: readonly string[], whole: string) {
  const code = runTool(folder, "llvm-nm", whole).match(/^[0-9a-f]+(?= [tT] .*(?:plain|part|hidden|local))/gm) ?? [];
  const addresses = code.flatMap((hex) =>
    [0, 16, 32].map((more) => `0x${(Number.parseInt(hex, 16) + more).toString(16)}`),
  );
  const files = symbols.flatMap((path) => ["--symbols", join(folder, path)]);
  const { out } = await callCli(["symbolize", "--module", join(folder, library), ...files, "--json", ...addresses]);
  return JSON.parse(out.toString()) as {
    results: { frames: object[] }[];
    diagnostics: { code: string; message: string }[];
  };
}
