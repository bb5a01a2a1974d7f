import { expect, it } from "vitest";
import type { LibraryNames } from "../../../worker/api.ts";
import { renamed } from "./renamed.ts";

const frame = (name: string) => ({ function: name, linkageName: "", file: "", line: 0, column: 0 });
const NAMES: LibraryNames = {
  base: 0n,
  files: [],
  resolved: new Map([
    [0x1283n, { frames: [frame("inner()"), frame("outer()")] }],
    [0x1300n, { frames: [], why: "no-symbol" }],
  ]),
};
const LIBRARIES = [{ name: "libdemo.so", buildId: "2de3e4d4dae7" }];
const of = (name: string) => renamed(name, LIBRARIES, new Map([["2de3e4d4dae7", NAMES]]));

it("a label leads to the function at its address, or at the call before a return address", () => {
  expect([of("libdemo.so+0x1283"), of("libdemo.so+0x1284"), of("[2de3e4d4]+0x1283")]).toEqual([
    "outer()",
    "outer()",
    "outer()",
  ]);
});

it("other names, and addresses without a name, lead nowhere", () => {
  expect([of("libdemo.so+0x1300"), of("libother.so+0x1283"), of("demo.Shop.run"), of("")]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
