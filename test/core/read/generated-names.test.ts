/**
 * Generated names without what differs from run to run. The first table has names of recordings: of fixtures/recorded,
 * and of public ones (the repository and the name of the file). The second has names as their generators make them.
 */
import { beforeAll, expect, it } from "vitest";
import { ViewCore } from "../../kit/core/view-harness.ts";

let core: ViewCore;

beforeAll(async () => {
  core = await ViewCore.create();
}, 120_000);

/** Name, normalised name, recording. */
const RECORDED: [string, string, string][] = [
  [
    "TracingContextKt$$Lambda$27.872627152.run",
    "TracingContextKt$$Lambda.run",
    "JDK 8: grafana/jfr-parser, new_spancontext.jfr",
  ],
  ["Example$$Lambda$4.1500056228.run", "Example$$Lambda.run", "JDK 11: ocadaruma/jfrs, profiler-multichunk.jfr"],
  [
    "jdk.jfr.internal.SecuritySupport$$Lambda$14.649734728.get$Lambda",
    "jdk.jfr.internal.SecuritySupport$$Lambda.get$Lambda",
    "JDK 11: openjdk/jmc, allocation_10s_before.jfr",
  ],
  [
    "java.lang.invoke.LambdaForm$BMH.1761291320.reinvoke",
    "java.lang.invoke.LambdaForm$BMH.reinvoke",
    "JDK 11: openjdk/jmc, allocation_10s_before.jfr",
  ],
  [
    "java.lang.invoke.LambdaForm$MH.225493257.linkToTargetMethod",
    "java.lang.invoke.LambdaForm$MH.linkToTargetMethod",
    "JDK 11: openjdk/jmc, allocation_10s_before.jfr",
  ],
  ["App$$Lambda$70.0x0000000800c3a1a0.run", "App$$Lambda.run", "JDK 17: grafana/jfr-parser, example.jfr"],
  [
    "kafka.log.LogValidator$$$Lambda$1377.0x000000080156f840.accept",
    "kafka.log.LogValidator$$$Lambda.accept",
    "JDK 17: grafana/jfr-parser, cortex-dev-01",
  ],
  [
    "java.util.stream.Collectors$$Lambda$6.0x800000011.accept",
    "java.util.stream.Collectors$$Lambda.accept",
    "JDK 17, from the CDS archive: grafana/jfr-parser, cortex-dev-01",
  ],
  [
    "java.lang.invoke.LambdaForm$DMH.0x00000008011c8800.newInvokeSpecial",
    "java.lang.invoke.LambdaForm$DMH.newInvokeSpecial",
    "JDK 17: grafana/jfr-parser, cortex-dev-01",
  ],
  [
    "jdk.internal.platform.CgroupUtil$$Lambda$167+0x00007f47940f9460.1698883427.run",
    "jdk.internal.platform.CgroupUtil$$Lambda.run",
    "JDK 17: grafana/jfr-parser, FastSlow_2024_01_16_180855.jfr",
  ],
  [
    "java.util.regex.CharPredicates$$Lambda$20+0x800000029.1811044090.is",
    "java.util.regex.CharPredicates$$Lambda.is",
    "JDK 17: grafana/jfr-parser, object-allocation-sample.jfr",
  ],
  [
    "java.lang.invoke.LambdaForm$DMH+0x00007f400c2c4000.1015539383.invokeStatic",
    "java.lang.invoke.LambdaForm$DMH.invokeStatic",
    "JDK 17: a recording of the Datadog agent",
  ],
  [
    "jdk.jfr.internal.handlers.EventHandler1402_1795208369169-3.write",
    "jdk.jfr.internal.handlers.EventHandler.write",
    "JDK 17: fixtures/recorded/jdk17-profile.jfr",
  ],
  [
    "com.datadog.appsec.gateway.GatewayBridge$$Lambda+0x00007fd6a834ed00.927159199.apply",
    "com.datadog.appsec.gateway.GatewayBridge$$Lambda.apply",
    "JDK 21: DataDog/jafar, tck-test.jfr",
  ],
  [
    "com.datadog.appsec.gateway.GatewayBridge$$Lambda.0x00007fd6a834fa10.apply",
    "com.datadog.appsec.gateway.GatewayBridge$$Lambda.apply",
    "JDK 21, its native profiler: DataDog/jafar, tck-test.jfr",
  ],
  ["jdk.proxy3.$Proxy190.findAll", "jdk.proxy.$Proxy.findAll", "JDK 21: DataDog/jafar, tck-test.jfr"],
  [
    "com.datadog.demo.profiling.modeltraining.dao.CustomerDAO$$SpringCGLIB$$0.getCustomerById",
    "com.datadog.demo.profiling.modeltraining.dao.CustomerDAO$$SpringCGLIB$$.getCustomerById",
    "JDK 21: DataDog/jafar, tck-test.jfr",
  ],
  [
    "java.lang.invoke.LambdaForm$MH.0x0000000034041400.invoke",
    "java.lang.invoke.LambdaForm$MH.invoke",
    "JDK 25: a recording with scoped values",
  ],
  [
    "jdk.internal.reflect.GeneratedMethodAccessor102.invoke",
    "jdk.internal.reflect.GeneratedMethodAccessor.invoke",
    "JDK 17: grafana/jfr-parser, cortex-dev-01",
  ],
  [
    "/app/lib/snappy-1.1.8-d1f9bd24-4cc8-4571-b71c-1698b83f1af1-libsnappyjava.so",
    "/app/lib/snappy-1.1.8-libsnappyjava.so",
    "grafana/jfr-parser, cortex-dev-01",
  ],
];

/** Name, normalised name, generator. */
const MADE: [string, string, string][] = [
  ["Shop$$Lambda$324/0x00007f4794.run", "Shop$$Lambda.run", "JDK 9 to 20, with the class file's separators"],
  ["Shop$$Lambda/0x000001f4a1003200.run", "Shop$$Lambda.run", "JDK 21"],
  ["Shop$$Lambda$87+0x00007f479400ed90.667447085", "Shop$$Lambda", "a class without a method"],
  [
    "com/acme/Ctx$$Lambda$lambda$wrap$2$2630016632.0x00000000000100dd.call",
    "com.acme.Ctx$$Lambda$lambda$wrap$2.call",
    "a JVM that puts the lambda's method into the name",
  ],
  ["Ctx$$Lambda$lambda$wrap$2$77/0x0000000000030000.call", "Ctx$$Lambda$lambda$wrap$2.call", "the same with a slash"],
  ["Ctx$$Lambda$lambda$wrap$3+0x0000000000030000.call", "Ctx$$Lambda$lambda$wrap$3.call", "the same without a number"],
  ["Ctx$$Lambda$lambda$wrap$3$12.call", "Ctx$$Lambda$lambda$wrap$3.call", "the same without an address"],
  ["Ctx$$Lambda$accept$12/0x0000000000030000.call", "Ctx$$Lambda$accept.call", "a method reference in the name"],
  ["java/util/regex/Pattern.matcher", "java.util.regex.Pattern.matcher", "the JVM's own form"],
  ["java/util/regex/Pattern$Loop.match", "java.util.regex.Pattern$Loop.match", "the JVM's own form"],
  ["shop/Cart.<init>", "shop.Cart.<init>", "the JVM's own form of a constructor"],
  ["shop/Id.constructor-impl", "shop.Id.constructor-impl", "the JVM's own form of a function of Kotlin"],
  ["shop/cart$.total", "shop.cart$.total", "the JVM's own form of an object of Scala"],
  ["java/lang/Object.wait(J)V", "java.lang.Object.wait", "with a signature"],
  ["a/B.put(Ljava/lang/Object;)V", "a.B.put", "with a signature that has a class"],
  ["java/lang/Thread.run_[j]", "java.lang.Thread.run", "with the frame type of async-profiler"],
  ["shop/Cart.total:12", "shop.Cart.total:12", "with a line"],
  ["java/lang/String", "java.lang.String", "a class alone"],
  ["com/acme/Foo/0x00000008000b4840.run", "com.acme.Foo.run", "a hidden class in the JVM's own form"],
  ["shop/Dataä.rün", "shop.Dataä.rün", "letters beyond ASCII"],
  ["com.acme.Foo/0x00000008000b4840.run", "com.acme.Foo.run", "a hidden class"],
  ["com.acme.Foo.0x00000008000b4840.run", "com.acme.Foo.run", "a hidden class"],
  ["com.acme.Foo+0x00000008000b4840.12345678.run", "com.acme.Foo.run", "a hidden class"],
  [
    "sun.reflect.GeneratedConstructorAccessor3.newInstance",
    "sun.reflect.GeneratedConstructorAccessor.newInstance",
    "JDK 8",
  ],
  [
    "jdk.internal.reflect.GeneratedSerializationConstructorAccessor12.newInstance",
    "jdk.internal.reflect.GeneratedSerializationConstructorAccessor.newInstance",
    "JDK 9 to 21",
  ],
  ["com.sun.proxy.$Proxy12.get", "com.sun.proxy.$Proxy.get", "JDK 8"],
  ["$Proxy7.get", "$Proxy.get", "an interface that is not public"],
  ["Shop$$EnhancerBySpringCGLIB$$1a2b3c4d.buy", "Shop$$EnhancerBySpringCGLIB$$.buy", "Spring 5"],
  ["Shop$$EnhancerByCGLIB$$1a2b3c4d_2.buy", "Shop$$EnhancerByCGLIB$$.buy", "CGLIB"],
  ["Shop$$FastClassBySpringCGLIB$$9f8e7d6c.invoke", "Shop$$FastClassBySpringCGLIB$$.invoke", "Spring 5"],
  ["Shop$$SpringCGLIB$$FastClass$$1.invoke", "Shop$$SpringCGLIB$$FastClass$$.invoke", "Spring 6"],
  ["Shop$$FastClassByGuice$$12345678.invoke", "Shop$$FastClassByGuice$$.invoke", "Guice"],
  ["Shop$ByteBuddy$aBcD1234.buy", "Shop$ByteBuddy$.buy", "Byte Buddy"],
  ["Shop$HibernateProxy$x8Yz0AbC.getName", "Shop$HibernateProxy$.getName", "Hibernate"],
  ["Shop$HibernateBasicProxy$x8Yz0AbC.getName", "Shop$HibernateBasicProxy$.getName", "Hibernate"],
  ["Shop$HibernateInstantiator$x8Yz0AbC.newInstance", "Shop$HibernateInstantiator$.newInstance", "Hibernate"],
  ["Shop$HibernateAccessOptimizer$x8Yz0AbC.get", "Shop$HibernateAccessOptimizer$.get", "Hibernate 5"],
  [
    "Shop$HibernateAccessOptimizer9id5total.get",
    "Shop$HibernateAccessOptimizer9id5total.get",
    "Hibernate 6: properties",
  ],
  [
    "jdk.MHProxy12.java.lang.Runnable$$.run",
    "jdk.MHProxy.java.lang.Runnable$$.run",
    "JDK 22: an interface of a handle",
  ],
  ["Shop$MockitoMock$1834692475.buy", "Shop$MockitoMock$.buy", "Mockito"],
  ["Shop_$$_jvst8f2_1.getName", "Shop_$$_jvst.getName", "Javassist"],
  ["Shop_$$_javassist_12.getName", "Shop_$$_javassist_.getName", "Javassist"],
  ["lib1234.so (deleted)", "lib.so", "a library that was unpacked and deleted"],
  [
    "/app/lib/libnetty_transport_native_epoll_x86_646171215934127893457.so (deleted)",
    "/app/lib/libnetty_transport_native_epoll_x86_.so",
    "Netty",
  ],
];

/** A method of the JVM in the notations of other recorders and tools. */
const METHOD = "java.util.regex.Pattern$Slice.match";
const TYPES = "java.util.regex.Matcher, int, java.lang.CharSequence";
const DESCRIPTOR = "(Ljava/util/regex/Matcher;ILjava/lang/CharSequence;)Z";
const NOTATIONS: [string, string, string][] = [
  [`boolean ${METHOD}(${TYPES})`, METHOD, "Compiler.perfmap of the JDK, ART"],
  ["byte[] java.lang.String.getBytes()", "java.lang.String.getBytes", "the same of an array"],
  ["java.lang.Object[] java.util.ArrayList.toArray(java.lang.Object[])", "java.util.ArrayList.toArray", "arrays"],
  ["void java.lang.String.<init>(byte[], byte)", "java.lang.String.<init>", "a constructor"],
  ["void Main.main(java.lang.String[])", "Main.main", "a class without a package"],
  ["void com.acme.Foo$$Lambda/0x00007f479400ed90.run()", "com.acme.Foo$$Lambda.run", "a lambda's class"],
  ["int com.acme.shop.cart$.total()", "com.acme.shop.cart$.total", "an object of Scala"],
  [`${METHOD}(Matcher, int, CharSequence)`, METHOD, "types alone"],
  [`${METHOD}(Matcher, int, CharSequence) line: 4200`, METHOD, "jfr print"],
  [`${METHOD}()`, METHOD, "no arguments"],
  ["Ljava/util/regex/Pattern$Slice;::match", METHOD, "perf-map-agent"],
  ["Ljava/util/regex/Pattern$Slice:::match", METHOD, "perf-map-agent in collapsed stacks"],
  [`Ljava/util/regex/Pattern$Slice;::match${DESCRIPTOR}`, METHOD, "perf-map-agent with msig"],
  ["java.util.regex.Pattern$Slice::match", METHOD, "perf-map-agent with dottedclass"],
  ["Ljava/util/regex/Pattern$Slice;.match", METHOD, "a descriptor"],
  [`Ljava/util/regex/Pattern$Slice;->match${DESCRIPTOR}`, METHOD, "smali"],
  ["Ljava/lang/String;::<init>", "java.lang.String.<init>", "a constructor"],
  [`java/util/regex/Pattern$Slice.match${DESCRIPTOR}`, METHOD, "async-profiler with sig, OpenJ9"],
  [`java.util.regex.Pattern$Slice.match${DESCRIPTOR}`, METHOD, "a signature"],
  ["java/util/regex/Pattern$Slice::match", METHOD, "slashes and colons"],
  ["java.util.regex.Pattern$Slice#match", METHOD, "Javadoc"],
  ["java.base/java.util.regex.Pattern$Slice.match", METHOD, "a module"],
  ["java.base@17.0.1/java.util.regex.Pattern$Slice.match", METHOD, "a module with a version"],
  ["java.base/java.util.regex.Pattern$Slice::match", METHOD, "a module and colons"],
  ["app//com.acme.Main.run", "com.acme.Main.run", "a class loader"],
  ["app/shop@1.0/com.acme.Main.run", "com.acme.Main.run", "a class loader and a module"],
  ["com.acme.shop/com.acme.shop.Main.run", "com.acme.shop.Main.run", "a module named as its package"],
  ["jdk.compiler/com.sun.tools.javac.Main.compile", "com.sun.tools.javac.Main.compile", "a module of the JDK"],
  ["at java.util.regex.Pattern$Slice.match(Pattern.java:4200)", METHOD, "a stack trace"],
  ["\tat java.base@17.0.1/java.util.regex.Pattern$Slice.match(Pattern.java:4200)", METHOD, "a stack trace"],
  ["at java.util.regex.Pattern$Slice.match(java.base@17/Pattern.java:4200)", METHOD, "jstack"],
  ["at java.lang.Object.wait(java.base@17.0.1/Native Method)", "java.lang.Object.wait", "jstack"],
  ["at app//com.acme.MainKt.main(Main.kt:3)", "com.acme.MainKt.main", "Kotlin"],
  ["at com.acme.Main.run(Main.java:10) ~[shop.jar:1.0]", "com.acme.Main.run", "Logback"],
  ["at Main.run(Unknown Source)", "Main.run", "no source"],
  ["at java.util.regex.Pattern$Slice.match", METHOD, "a stack trace without a source"],
  ["java.util.regex.Pattern$Slice.match(Pattern.java:4200)", METHOD, "a file and a line"],
  ["java.util.regex.Pattern$Slice.match_[j]", METHOD, "compiled"],
  ["java/util/regex/Pattern$Slice.match_[i]", METHOD, "inlined"],
  ["java.util.regex.Pattern$Slice.match (inlined)", METHOD, "perf script --inline"],
];

/** Names of other languages, which have the same signs. */
const FOREIGN = [
  "std::vector<int, std::allocator<int> >::push_back(int const&)",
  "void std::sort<int*>(int*, int*)",
  "ns::Shop::pay(int, char)",
  "ns::Shop.cold",
  "ns::Shop.constprop.0.cold",
  "foo.isra.0",
  "(anonymous namespace)::Shop::pay()",
  "operator new(unsigned long)",
  "int main(int, char**)",
  "core::ops::function::FnOnce::call_once",
  "<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend",
  "tokio::runtime::Builder::build::h0123456789abcdef",
  "main.(*Cart).Total",
  "main.Cart.Total",
  "encoding/json.Decoder.Decode",
  "github.com/acme/shop/cart.Cart.Total",
  "gopkg.in/yaml.v3.Node.Decode",
  "net/http.(*Server).Serve.func1",
  "slices.SortFunc[go.shape.[]int]",
  "System.String.Concat(System.String, System.String)",
  "System.String::Concat(string, string)",
  "void [System.Private.CoreLib] System.String::Concat(string,string)[OptimizedTier1]",
  "MyApp!MyApp.Shop.Pay(class System.String)",
  "at MyApp.Shop.Pay(String name, Int32 count)",
  "at acme.Shop.Pay(String name) in C:\\shop.cs:line 12",
  "shop.cart.Cart.total (cart.py:12)",
  "total (app/cart.py:12)",
  "django.db.models.Model.save",
  "at Cart.total (/app/src/cart.js:10:5)",
  "at async Cart.total (file:///app/cart.mjs:10:5)",
  "Cart.total /app/cart.js:10:5",
  "LazyCompile:~total /app/cart.js:10",
  "ActiveRecord::Base#find",
  "Cart#total",
  "Elixir.Shop:total/1",
  "lists:map/2",
  "App\\Shop::pay",
  "Shop::Cart::total",
  "-[Shop pay:]",
  "kfun:kotlin.collections.List#get(kotlin.Int){}1:0",
  "[unknown] (inlined)x",
  "Interpreter",
  "vtable stub",
  "GET /checkout(fast)",
  "a.b.c:12",
  "at ",
  "()",
  "L;",
  "::",
  "#",
];

/** Names that are the same in every run. */
const KEPT = [
  "main",
  "java.util.HashMap$Node.getKey",
  "demo.Ops$1.run",
  "Shop.lambda$buy$3",
  "scala.collection.Iterator$$anon$10.next",
  "kafka.utils.Pool$$anonfun$1.value",
  "java.lang.invoke.LambdaForm$MH.invoke",
  "java.lang.invoke.LambdaForm$NamedFunction.invokeWithArguments",
  "java.lang.invoke.BoundMethodHandle$Species_LLJ.copyWith",
  "jdk.internal.reflect.DirectMethodHandleAccessor.invokeImpl",
  "jdk.jfr.internal.handlers.EventHandler.write",
  "net.bytebuddy.agent.builder.AgentBuilder$Default$ExecutingTransformer$ByteBuddy$ModuleSupport.transform",
  "com.acme.Remote$Proxy2.call",
  "com.acme.jdk.proxy2.Call.run",
  "org.apache.kafka.raft.KafkaRaftClient.access$1100",
  "AccessInternal::PostRuntimeDispatch<G1BarrierSet::AccessBarrier<548964ul, G1BarrierSet>>::oop_access_barrier",
  "libc.so.6+0x3c04f",
  "libzstd-jni-1.5.5-49876543210123456789.so+0x1234",
  "libfoo.so.1.2+0x123456789012",
  "/lib/libfoo.so+0x123456789012",
  "lib1234.so (deleted)+0x1234",
  "Ctx$$Lambda$2a139a55f0bb7d9d0d2d9e0a3c8bd9d0aabbccdd.accept",
  "Ctx$$Lambda$19a139a55f0bb7d9d0d2d9e0a3c8bd9d0aabbccd.accept",
  "Ctx$$Lambda$lambda$wrap$2.call",
  "net/http.(*conn).serve",
  "net/http.HandlerFunc.ServeHTTP",
  "github.com/acme/shop/Cart.Total",
  "encoding/json.Marshal",
  "src/View.js:render",
  "./src/View.render",
  "app/models/2Cart.total",
  "a//B.run",
  "node:internal/Timers.run",
  "Foo/2",
  "/usr/lib/Foo.run",
  "/lib/x86_64-linux-gnu/libc-2.31.so",
  "/usr/lib/jvm/java-17/lib/server/libjvm.so",
  "[40d5a7d4f0c5e1b2a3c4d5e6f708192a3b4c5d6e]+0x1f2a",
  "[kernel]+0xffffffff81000000",
  "0x00007f479400ed90",
  "java.util.Arrays.sort",
  "",
];

function normalised(name: string): string {
  return core.normaliseName(new TextEncoder().encode(name)) ?? name;
}

it.each([...RECORDED, ...MADE, ...NOTATIONS])("%s is %s (%s)", (name, left) => {
  expect(normalised(name)).toBe(left);
});

it.each([...RECORDED, ...MADE, ...NOTATIONS])("%s stays %s when it is normalised again", (_, left) => {
  expect(normalised(left)).toBe(left);
});

it.each([...KEPT, ...FOREIGN])("%s is kept", (name) => {
  expect(normalised(name)).toBe(name);
});

it("a name of which a part is cut off is read to its end only", () => {
  for (const [name] of [...RECORDED, ...MADE, ...NOTATIONS]) {
    for (let size = 0; size < name.length; size++) {
      expect(normalised(name.slice(0, size)).length).toBeLessThanOrEqual(size);
    }
  }
});

it("a name of more than 4096 bytes is kept", () => {
  const name = `${"x".repeat(4096)}$$Lambda$1`;

  expect(normalised(name)).toBe(name);
});

it("functions with a line keep it: the same line of two runs is one frame, two lines are two", () => {
  core.reset();
  core.profile("cpu", "jdk.ExecutionSample");
  const lambda = (run: string, line: number) => core.stackOf([core.location(`Shop$$Lambda$${run}.run`, line)]);
  for (const [run, line] of [
    ["12/0x00007f479400ed90", 7],
    ["87+0x00007e479400ed90/446691317", 7],
    ["99", 12],
  ] as const) {
    core.observe({ stack: lambda(run, line), value: 1n });
  }
  core.shape({ lines: true });
  core.select(-1);

  const { rows } = core.frames(0, 1e9);

  expect(rows.map(({ name, total }) => [name, total])).toEqual([
    ["", 3],
    ["Shop$$Lambda.run:7", 2],
    ["Shop$$Lambda.run:12", 1],
  ]);
  expect(core.top()).toEqual([{ name: "Shop$$Lambda.run", self: 3n, total: 3n }]);
});

it("a name that needs no change and one that becomes it are one frame, whichever is read first", () => {
  for (const names of [
    ["Shop$$Lambda.run", "Shop$$Lambda$1.run"],
    ["Shop$$Lambda$1.run", "Shop$$Lambda.run"],
  ]) {
    core.reset();
    core.profile("cpu", "jdk.ExecutionSample");
    for (const name of names) {
      core.observe({ stack: core.stack([name]), value: 1n });
      core.select(-1);
      core.top();
    }

    expect(core.top()).toEqual([{ name: "Shop$$Lambda.run", self: 2n, total: 2n }]);
  }
});
