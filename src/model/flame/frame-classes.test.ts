import { beforeEach, describe, expect, it } from "vitest";
import { LIBRARY_CODE, PROGRAM_CODE, UNKNOWN_CODE } from "../../core/tables/code-owners.ts";
import { LOOK } from "../query/look.ts";
import { APPLICATION_TONES } from "./colour.ts";
import { classOf } from "./frame-classes.ts";
import { type FrameTypeName, LANGUAGES } from "./frame-types.ts";
import { forgetRoots, hueOf, rootOf } from "./package-roots.ts";

beforeEach(forgetRoots);

const family = (name: string, kind: FrameTypeName = "jvm", own = "") => classOf({ ...LOOK, own })(name, kind).family;

describe("the family of a frame", () => {
  it("goes by well-known packages, and by the frame type", () => {
    expect(family("java.util.HashMap.get")).toBe("jdk");
    expect(family("javax2.util.A.b")).toBe("application");
    expect(family("io.netty.channel.A.b")).toBe("library");
    expect(family("com.acme.A.b")).toBe("application");
    expect(family("Shop$$Lambda.run")).toBe("application");
    expect(family("memcpy", "native")).toBe("native");
    expect(family("do_syscall_64", "kernel")).toBe("kernel");
  });

  it("is guessed where the recording has no frame type", () => {
    expect(family("java.lang.Thread.run", "")).toBe("jdk");
    expect(family("java/lang/Thread.run", "")).toBe("jdk");
    expect(family("JavaThread::run()", "")).toBe("native");
    expect(family("libc.so.6+0x12", "")).toBe("native");
    expect(family("libc-2.31.so.epoll_ctl", "")).toBe("native");
    expect(family("libc.so.6.epoll_ctl", "")).toBe("native");
    expect(family(".itable stub", "")).toBe("native");
    expect(family("clock_gettime@@GLIBC_2.17", "")).toBe("native");
    expect(family("main.handle@Handler", "")).toBe("application");
    expect(family("com.acme.so.Cart.total", "")).toBe("application");
    expect(family("[truncated]", "")).toBe("other");
    expect([family("JDK · 8", "run"), family("Spring · 43", "run")]).toEqual(["jdk", "library"]);
    expect(family("main.handle", "")).toBe("application");
  });

  it("is that of its name, also where the handle of the name had another one before", () => {
    const of = classOf(LOOK);
    const asked = (name: string, kind: FrameTypeName, owner = UNKNOWN_CODE) => of(name, kind, owner, 7).family;
    expect([asked("java.util.A.b", "jvm"), asked("java.util.A.b", "jvm")]).toEqual(["jdk", "jdk"]);
    // Another recording was opened.
    expect([asked("com.acme.A.b", "jvm"), asked("com.acme.A.b", "jvm")]).toEqual(["application", "application"]);
    expect([asked("com.acme.A.b", "native"), asked("com.acme.A.b", "jvm", LIBRARY_CODE)]).toEqual([
      "native",
      "library",
    ]);
    expect(asked("com.acme.A.b", "jvm")).toBe("application");
  });

  it("is by type that of its language, by package that of other application code", () => {
    const byType = classOf({ ...LOOK, colouring: "kind" });
    const types = Object.keys(LANGUAGES) as FrameTypeName[];
    expect(types.map((type) => byType("a.b", type).family)).toEqual(types);
    const tones = ["jvm" as const, ...types].map((type) => byType("a.b", type).tone);
    expect(new Set(tones).size).toBe(tones.length);
    expect(types.map((type) => family("acme.shop.total", type))).toEqual(types.map(() => "application"));
    // Symbols, which the names of other languages only look like.
    expect([family("core::fmt::write", "rust"), family("Shop::Cart.total", "ruby")]).toEqual(["native", "application"]);
  });

  it("is the application's where its file is the program's, also without a package", () => {
    const owned = (name: string, own = "") => classOf({ ...LOOK, own })(name, "", PROGRAM_CODE).family;
    expect([family("hash", "v8js"), owned("hash"), owned("shop::Cart::total")]).toEqual([
      "other",
      "application",
      "application",
    ]);
    // The user's own prefixes decide for all.
    expect([owned("hash", "shop."), owned("shop.total", "shop.")]).toEqual(["other", "application"]);
  });

  it("is that of libraries where a list of them has the function, but for the JDK and the kernel", () => {
    const listed = (name: string, kind: FrameTypeName, own = "") =>
      classOf({ ...LOOK, own })(name, kind, LIBRARY_CODE).family;
    expect([listed("send", ""), listed("com.acme.A.b", "jvm"), listed("ssl_read", "native")]).toEqual(
      Array(3).fill("library"),
    );
    expect([listed("java.util.A.b", "jvm"), listed("do_syscall_64", "kernel")]).toEqual(["jdk", "kernel"]);
    expect(listed("com.acme.A.b", "jvm", "com.acme")).toBe("application");
    // The same name without the list.
    expect(family("com.acme.A.b")).toBe("application");
  });

  it("of a profiler's own code is its own, but not that of its hooks, nor of packages that the user names", () => {
    const handler = "WallClockASGCT::sharedSignalHandler";
    expect(
      [handler, "libasyncProfiler.so.Profiler::recordSample", "one.profiler.Span.start"].map((name) => family(name)),
    ).toEqual(Array(3).fill("profiler"));
    expect(family("Profiler · 3", "run")).toBe("profiler");
    expect(family("libasyncProfiler.so.LockTracer::UnsafeParkHook", "native")).toBe("native");
    expect(family("com.datadog.demo.profiling.A.b", "jvm")).not.toBe("profiler");
    expect(family("one.profiler.Span.start", "jvm", "one.profiler")).toBe("application");
  });

  it("goes by the user's packages where there are some", () => {
    expect(["io.netty.A.b", "com.acme.A.b", "java.util.A.b"].map((name) => family(name, "jvm", "io.netty, x"))).toEqual(
      ["application", "library", "jdk"],
    );
  });
});

describe("package roots", () => {
  it("are the part that names the owner", () => {
    const roots = [
      "com.acme.shop.cart.",
      "wl.p1.N031.",
      "uk.co.acme.shop.",
      "de.acme.",
      "github.com/acme/shop.",
      "shop.",
      "",
    ];
    expect(roots.map((home) => rootOf(home).root)).toEqual([
      "com.acme",
      "wl",
      "uk.co.acme",
      "de.acme",
      "github.com.acme",
      "shop",
      "",
    ]);
    expect(rootOf("com.acme.shop.cart.").below).toBe("shop.cart");
  });

  it("have a hue each until there are more roots than hues, and keep it", () => {
    const first = APPLICATION_TONES.map((_, i) => hueOf(`root${i}`));
    expect(new Set(first).size).toBe(APPLICATION_TONES.length);
    hueOf("one more");
    expect(APPLICATION_TONES.map((_, i) => hueOf(`root${i}`))).toEqual(first);
    expect(hueOf("one more")).toBeLessThan(APPLICATION_TONES.length);
  });

  it("keep their hue in packages and classes below them, in several shades", () => {
    const colour = classOf(LOOK);
    const names = Array.from({ length: 12 }, (_, i) => `com.acme.p${i % 4}.Class${i}.run`);
    const tones = names.map((name) => colour(name, "jvm").tone);
    for (const tone of tones) expect(APPLICATION_TONES[0]).toContain(tone);
    expect(new Set(tones).size).toBe(5);
    expect(colour("com.acme.Cart$Item.get", "jvm").tone).toBe(colour("com.acme.Cart.total", "jvm").tone);
  });
});
