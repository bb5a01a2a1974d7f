/** Programs that the machine's compiler makes, and what llvm-symbolizer says of their addresses. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join, posix } from "node:path";
import { expect } from "vitest";
import { need } from "../needs.ts";
import { Random } from "../random.ts";
import { callCli } from "../run-cli.ts";

/** Debian has the tools of LLVM without their versions in these folders only. */
const FOLDERS = [
  ...(process.env.PATH ?? "").split(delimiter),
  ...["21", "20", "19", "18", "17", "16", "15", "14"].map((version) => `/usr/lib/llvm-${version}/bin`),
];

/** The path of a program; "" if the machine lacks it. */
function program(name: string): string {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? "";
}

/** A need of programs; tests that lack one are skipped. */
export function needTools(...names: string[]) {
  const missing = names.find((name) => program(name) === "");
  return need(missing === undefined, `no ${missing}`);
}

/** Runs a program in a folder, and returns what it prints. */
export function runTool(folder: string, name: string, ...args: string[]): string {
  return execFileSync(program(name), args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" });
}

const UNITS = 4;
const HEADER = `
namespace shop {
extern volatile int sink;
struct Item { int price; int count; };
template <class T> __attribute__((always_inline)) inline T twice(T x) { sink = (int)x; return x * 2; }
__attribute__((always_inline)) inline int weigh(const Item &i) { sink = i.price; return twice(i.price) * i.count; }
class Basket {
public:
  int total(const Item *items, unsigned long n) const;
  template <class T> T each(T x) const { return twice(x) * weigh({(int)x, 2}); }
};
}
`;

const unit = (n: number) => `
#include "shop.h"
namespace shop {
namespace { __attribute__((noinline)) int hidden${n}(int n) { int s = ${n}; for (int i = 0; i < n; i++) { sink = i; s += twice(sink) * n; } return s; } }
__attribute__((noinline)) static int local${n}(const Item &i) { return weigh(i) - hidden${n}(i.count); }
__attribute__((noinline)) int part${n}(const Item *items, unsigned long n) {
  int s = 0;
  for (unsigned long i = 0; i < n; i++) s += weigh(items[i]) + local${n}(items[i]);
  Basket b;
  return s + b.each(s) + (int)b.each((long)s + ${n});
}
${n === 0 ? "volatile int sink; int Basket::total(const Item *items, unsigned long n) const { return part0(items, n) * weigh(*items); }" : ""}
}
extern "C" int plain${n}(int x) { shop::Item i = {x, ${n}}; return shop::part${n}(&i, 1) + shop::weigh(i); }
`;

/** Writes the units of a library in C++ that needs no other, and returns their names without `.cpp`. */
export function writeUnits(folder: string): string[] {
  writeFileSync(join(folder, "shop.h"), HEADER);
  return Array.from({ length: UNITS }, (_, n) => {
    writeFileSync(join(folder, `unit${n}.cpp`), unit(n));
    return `unit${n}`;
  });
}

export const COMPILE = ["-O2", "-fPIC", "-fno-exceptions", "-nostdinc"];

interface Frame {
  function: string;
  file: string;
  line: number;
  column: number;
}

/** Where nothing is known of the line, what llvm says of the file is not compared. */
const plain = (name: string, file: string, line: number, column: number): Frame =>
  line === 0
    ? { function: name, file: "", line, column: 0 }
    : { function: name, file: posix.normalize(file), line, column };

export interface Compared {
  addresses: number;
  /** Addresses with inlined functions. */
  inlined: number;
  codes: string[];
}

/** Compares what \`symbolize\` and llvm-symbolizer say of random addresses of a library's code. */
export async function compareWithLlvm(
  folder: string,
  library: string,
  symbols: readonly string[],
  options: { truth?: string; count?: number } = {},
): Promise<Compared> {
  const code = runTool(folder, "llvm-nm", "-n", library)
    .split("\n")
    .flatMap((line) => /^([0-9a-f]+) [tTwW] .*(?:plain|hidden|part|local|Basket)/.exec(line)?.[1] ?? [])
    .map((hex) => Number.parseInt(hex, 16));
  const random = new Random(7, 0);
  const [low, high] = [Math.min(...code), Math.max(...code) + 16];
  const addresses = Array.from(
    { length: options.count ?? 200 },
    () => `0x${(low + random.below(high - low)).toString(16)}`,
  );
  const files = symbols.flatMap((path) => ["--symbols", join(folder, path)]);
  const { out } = await callCli(["symbolize", "--module", join(folder, library), ...files, "--json", ...addresses]);
  const { results, diagnostics } = JSON.parse(out.toString()) as {
    results: { frames: (Frame & { linkageName: string })[] }[];
    diagnostics: { code: string }[];
  };
  const said = runTool(
    folder,
    "llvm-symbolizer",
    ...["--output-style=JSON", "--no-demangle", "-e", options.truth ?? library, ...addresses],
  );
  // Some versions print one list, others a line for each address.
  const truth = JSON.parse(said.startsWith("[") ? said : `[${said.trim().split("\n").join(",")}]`) as {
    Symbol: { FunctionName: string; FileName: string; Line: number; Column: number }[];
  }[];
  const ours = results.map(({ frames }) =>
    frames.map(({ linkageName, file, line, column }) => plain(linkageName, file, line, column)),
  );
  const theirs = truth.map(({ Symbol: frames }) =>
    frames
      .filter(({ FunctionName, FileName }) => FunctionName + FileName !== "")
      .map((frame) => plain(frame.FunctionName, frame.FileName, frame.Line, frame.Column)),
  );
  expect(addresses.map((address, i) => [address, ours[i]])).toEqual(
    addresses.map((address, i) => [address, theirs[i]]),
  );
  return {
    addresses: addresses.length,
    inlined: ours.filter((frames) => frames.length > 1).length,
    codes: diagnostics.map((one) => one.code),
  };
}

/** Names of the files of a folder, with those of its folders. */
export const filesBelow = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" });
