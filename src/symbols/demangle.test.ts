/** Readable names: marks of compilers, what tools print of Rust, and names that are made to cost much. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { withoutCrates } from "./crates.ts";
import { Demangler } from "./demangle.ts";
import { withoutEscapes } from "./escapes.ts";
import { withoutMarks } from "./fold.ts";

let demangler: Demangler;
beforeAll(async () => {
  demangler = await Demangler.create(readFileSync(new URL("../../build/demangle.wasm", import.meta.url)));
});
const readable = (linkage: string) => demangler.readable(linkage);

describe("the packed module", () => {
  it("is unpacked, unless a server did", async () => {
    for (const file of ["demangle.wasm", "demangle.wasm.gz"]) {
      const own = await Demangler.createPacked(readFileSync(new URL(`../../build/${file}`, import.meta.url)));
      expect(own.readable("_ZN5kiosk6Basket5totalEm")).toBe("kiosk::Basket::total(unsigned long)");
    }
  });
});

describe("names", () => {
  it("are readable, without the marks of compilers", () => {
    expect(readable("_ZNK5kiosk6Basket5totalEm")).toBe("kiosk::Basket::total(unsigned long) const");
    expect(readable("count_coins.constprop.0")).toBe("count_coins");
    expect(readable("_ZL8grab_oneii.isra.0.cold")).toBe("grab_one(int, int)");
    expect(readable("_ZN1a4loadILm6EEEN8EnableIfIXntsr12HasDecoratorIXT_ELm2EE5valueEvE4typeEl")).toMatch(
      /^a::load<.*>\(long\)$/,
    );
    expect(readable("_ZN1a1fIiEENSt9enable_ifIXsrSt11is_functionINSt6removeIT_E4typeEE5valueEvE4typeEv")).toBe(
      "a::f<int>()",
    );
    expect(readable(`_Z1f${"sr1aI".repeat(800)}`)).toMatch(/^_Z/);
    expect(readable("_ZThn8_N4Base4workEi")).toBe("non-virtual thunk to Base::work(int)");
    expect(readable("_ZTv0_n24_N4Base4workEi.cold")).toBe("virtual thunk to Base::work(int)");
    expect(readable("_ZTchn8_v0_n24_N4Base4workEi")).toBe("covariant return thunk to Base::work(int)");
    expect(readable("_ZTV4Base")).toMatch(/vtable/);
    expect(readable("_ZERO")).toBe("_ZERO");
    expect(readable("_Z")).toBe("_Z");
    expect(readable("main")).toBe("main");
  });

  it("that are made to cost much are cut or stay as they are", () => {
    // Each part of the type refers to the one before twice.
    const nested = Array.from({ length: 60 }, (_, i) => `S${i === 0 ? "" : (i - 1).toString(36).toUpperCase()}_`);
    const bomb = `_Z1fI${nested.map((part) => `St4pairI${part}${part}E`).join("")}Evv`;
    expect(readable(bomb)).toMatch(/^f<std::pair<f, f>, /);
    expect(readable(bomb)).toHaveLength(4096);
    expect(readable(`_Z${"N".repeat(4000)}`)).toBe(`_Z${"N".repeat(4000)}`);
    expect(readable("_ZNK5kiosk6Basket8heaviestEv")).toBe("kiosk::Basket::heaviest() const");
  });
});

describe("marks of compilers", () => {
  it("are taken off in any number and order", () => {
    expect(withoutMarks("f.constprop.0.isra.1.cold")).toBe("f");
    expect(withoutMarks("f.llvm.1234.5678")).toBe("f");
    expect(withoutMarks("f.part12")).toBe("f");
    expect(withoutMarks("f.warm")).toBe("f");
    expect(withoutMarks("f.isra.0.x")).toBe("f.isra.0.x");
    expect(withoutMarks(".cold")).toBe(".cold");
    expect(withoutMarks("f.109")).toBe("f.109");
    expect(withoutMarks("_Z1fv.109.cold.2")).toBe("_Z1fv");
    expect(withoutMarks("_Z1fv.isra.x")).toBe("_Z1fv.isra.x");
  });

  it("with many digits are read once", () => {
    // A pattern that tries all ways to part the digits would not end.
    const name = `f.isra${"1".repeat(4000)}`;
    expect(withoutMarks(`${name}!`)).toBe(`${name}!`);
    expect(withoutMarks(name)).toBe("f");
    const groups = `_Z1fv${".0".repeat(2000)}`;
    expect(withoutMarks(`${groups}!`)).toBe(`${groups}!`);
    expect(withoutMarks(groups)).toBe("_Z1fv");
  });
});

describe("names of Rust", () => {
  const HASH = "17h0123456789abcdefE";
  const legacy = (...parts: string[]) => `_ZN${parts.map((part) => `${part.length}${part}`).join("")}${HASH}`;

  it("have the numbers of crates as tools print them, and none in views", () => {
    const mangled = "_RNvNtCslNYArtu3iFV_5alloc5alloc7dealloc";
    expect(readable(mangled)).toBe("alloc[fdfd2bd8633a6659]::alloc::dealloc");
    expect(withoutCrates(mangled, readable(mangled))).toBe("alloc::alloc::dealloc");
    expect(readable(legacy("core", "fmt", "write"))).toBe("core::fmt::write");
    expect(readable(`${legacy("core", "fmt", "write")}.109`)).toBe("core::fmt::write");
    expect(readable(`${mangled}.109`)).toBe("alloc[fdfd2bd8633a6659]::alloc::dealloc");
    expect(readable("_RNvC3foo3bar.llvm.12345")).toBe("foo[0]::bar");
  });

  // As c++filt prints them.
  it.each([
    [["yard", "gr$uf6$$udf$e", "l$ue4$nge"], "yard::gr$uf6$$udf$e::l$ue4$nge", "yard::größe::länge"],
    [["yard", "a$u20$b$uf6$c$u20$..d"], "yard::a b$uf6$c$u20$..d", "yard::a böc ..d"],
    [["a", "b$C$d$u20$x$ue4$$C$"], "a::b,d x$ue4$$C$", "a::b,d xä$C$"],
    [["a", "_$LT$impl$u20$core..fmt..Debug$GT$"], "a::<impl core::fmt::Debug>", null],
    [["a", "b$u1f600$c"], "a::b$u1f600$c", "a::b😀c"],
    [["a", "x$ud800$$u7f$$u85$"], "a::x$ud800$$u7f$$u85$", null],
  ])("have escapes of ASCII decoded, in views all: %j", (parts, printed, viewed) => {
    const mangled = legacy(...parts);
    expect(readable(mangled)).toBe(printed);
    expect(withoutEscapes(`${mangled}.llvm.123`, printed)).toBe(viewed ?? printed);
  });

  it("that are not of Rust keep what looks like an escape", () => {
    expect(withoutEscapes("_Z5x$u20$v", "x$u20$()")).toBe("x$u20$()");
  });
});
