import { describe, expect, it } from "vitest";
import { fitMiddle, fitName, formsOf, NameLabels, namePartsOf, shownText } from "./short-name.ts";

/** Every letter is one wide. */
const letters = (text: string) => [...text].length;
const fitted = (name: string, room: number) => shownText(fitName(name, room, letters));

const JAVA = "com.example.enterprise.platform.interceptor.AbstractAuditInterceptor.intercept";
const NAMES = [
  JAVA,
  "demo.Shop$$Lambda$346.0x00007f7b783819c0.run:12",
  "org.acme.Cart.total(java.util.List)",
  "java.lang.String.<init>",
  "std::vector<int, std::allocator<int> >::push_back(int const&)",
  "void ns::(anonymous namespace)::Foo<A::B>::bar<int>(char) const",
  "<alloc::vec::Vec<T> as core::ops::Drop>::drop::h0123456789abcdef",
  "github.com/acme/shop.(*Server).Serve",
  "/usr/lib/jvm/lib/server/libjvm.so+0x1234",
  "scala.collection.immutable.List.$anonfun$map$1",
  "a<b.c",
  "....",
  "(",
  "::",
  "👩‍💻.北京.运行",
];

describe("parts of a name", () => {
  const parts = (name: string) => Object.values(namePartsOf(name)).join("|");

  it("are service, first word and the rest of spans", () => {
    expect(parts("cart: GET /items/{id}")).toBe("cart: |GET |/items/{id}||");
    expect(parts("shop-web.eu: servlet.request")).toBe("shop-web.eu: ||servlet.request||");
    expect(parts("a::b")).toBe("|a::|b||");
  });

  it("are package, class and method of the JVM's languages", () => {
    expect(parts("com.acme.Cart.total")).toBe("com.acme.|Cart.|total||");
    expect(parts("com.acme.Cart.total:12")).toBe("com.acme.|Cart.|total||:12");
    expect(parts("com.acme.Cart$Item.<init>")).toBe("com.acme.|Cart$Item.|<init>||");
    expect(parts("Cart.total(java.util.List)")).toBe("|Cart.|total|(java.util.List)|");
    expect(parts("a.B$$Lambda/0x00000008000cb000.get")).toBe("a.|B$$Lambda/0x00000008000cb000.|get||");
    expect(parts("wl.Workload$$Lambda$87+0x00007f681800bc00.667447085.run")).toBe(
      "wl.|Workload$$Lambda$87+0x00007f681800bc00.667447085.|run||",
    );
    expect(parts("kotlinx.coroutines.BuildersKt__BuildersKt.runBlocking$lambda$0")).toBe(
      "kotlinx.coroutines.|BuildersKt__BuildersKt.|runBlocking$lambda$0||",
    );
  });

  it("are namespace, type and function of native code", () => {
    expect(parts("JavaThread::run()")).toBe("|JavaThread::|run|()|");
    expect(parts("std::map<int, a::B>::find(int) const")).toBe("std::|map<int, a::B>::|find|(int) const|");
    expect(parts("a::(anonymous namespace)::run(int)")).toBe("a::|(anonymous namespace)::|run|(int)|");
    expect(parts("a::B::operator()(int)")).toBe("a::|B::|operator()|(int)|");
    expect(parts("a::operator<<(int)")).toBe("|a::|operator<<|(int)|");
    expect(parts("<T as core::fmt::Display>::fmt::h0123456789abcdef")).toBe(
      "|<T as core::fmt::Display>::|fmt|::h0123456789abcdef|",
    );
    expect(parts("net/http.(*conn).serve")).toBe("net/http.|(*conn).|serve||");
    expect(parts("/usr/lib/libc.so.6+0x12")).toBe("/usr/lib/||libc.so.6+0x12||");
    expect(parts("[97da31b249941f25ff26a612]+0x50")).toBe("|[97da31b249941f25ff26a612]|+0x50||");
    expect(parts("do_syscall_64")).toBe("||do_syscall_64||");
    expect(parts("[vdso]+0xbe1")).toBe("||[vdso]+0xbe1||");
  });
});

describe("short forms of a function's name", () => {
  it("lose the package's letters, the package, the middle of the class, the class, and the end of the method", () => {
    expect(fitted(JAVA, 99)).toBe(JAVA);
    expect(fitted(JAVA, 60)).toBe("c.e.e.p.i.AbstractAuditInterceptor.intercept");
    expect(fitted(JAVA, 40)).toBe("AbstractAuditInterceptor.intercept");
    expect(fitted(JAVA, 24)).toMatch(/^Abst\w*…\w*ptor\.intercept$/);
    expect(fitted(JAVA, 12)).toBe("intercept");
    expect(new NameLabels(letters).fit(JAVA, 6)).toBe("inter…");
  });

  it("lose arguments and types of native code first", () => {
    const name = "std::vector<int, std::allocator<int> >::push_back(int const&)";
    expect(fitted(name, 58)).toBe("std::vector<int, std::allocator<int> >::push_back(…)");
    expect(fitted(name, 30)).toBe("std::vector<…>::push_back");
    expect(fitted(name, 24)).toBe("s::vector<…>::push_back");
    expect(fitted(name, 20)).toBe("vector<…>::push_back");
    expect(fitted(name, 9)).toBe("push_back");
    expect(fitted("/usr/lib/libc.so.6+0x12", 20)).toBe("/u/l/libc.so.6+0x12");
  });

  it("lose addresses of generated classes before the package", () => {
    expect(fitted("demo.Shop$$Lambda$346.0x00007f7b783819c0.run", 30)).toBe("demo.Shop$$Lambda$346.run");
  });

  it("are the whole name with what is not shown, and never wider than the room until the method is alone", () => {
    for (const name of NAMES)
      for (let room = 1; room < 90; room++) {
        const pieces = fitName(name, room, letters);
        expect(pieces.map(({ text }) => text).join("")).toBe(name);
        const alone = shownText(formsOf(name).at(-1) ?? []);
        expect(letters(shownText(pieces))).toBeLessThanOrEqual(Math.max(room, letters(alone)));
        expect(letters(new NameLabels(letters).fit(name, room))).toBeLessThanOrEqual(room);
      }
  });

  it("show no less in more room", () => {
    for (const name of NAMES) {
      const seen = Array.from({ length: 90 }, (_, room) => letters(shownText(fitName(name, room, letters))));
      for (let room = letters(namePartsOf(name).method) + 1; room < 90; room++)
        expect(seen[room], `${name} in ${room}`).toBeGreaterThanOrEqual(seen[room - 1]);
    }
  });
});

describe("the middle of threads and routes", () => {
  const middle = (text: string, room: number) => shownText(fitMiddle(text, room, letters));

  it("gives way to both ends", () => {
    expect(middle("http-nio-8080-exec-12", 21)).toBe("http-nio-8080-exec-12");
    expect(middle("http-nio-8080-exec-12", 15)).toBe("http-n…-exec-12");
    expect(middle("GET /api/v2/orders/{orderId}/items/{itemId}", 24)).toBe("GET /api/v…tems/{itemId}");
  });

  it("leaves the text to be cut where both ends have no room", () => {
    expect(middle("abcdef", 2)).toBe("abcdef");
  });
});
