import { describe, expect, it } from "vitest";
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import { columnsOf } from "../../../test/kit/flame.ts";
import type { FramesAnswer } from "../../core/types.ts";
import type { OrderedSamples, TreeRow } from "../../core/view-types.ts";
import { foldedRows } from "./fold.ts";
import { type DiffColumns, foldDiff, foldPrefix, foldStacks, foldTree, nodeChains, presetOf } from "./prefix.ts";

const PICTURE = `
  - 100
    start_thread 100
      java.lang.Thread.run 100
        org.apache.tomcat.Worker.run 98
          jdk.internal.reflect.Method.invoke 97
            jakarta.servlet.HttpServlet.service 96
              java.util.List.forEach 96
                shop.Orders.get 90
                  java.lang.Thread.run 90
        java.lang.Thread.sleep 2
`;

function answerOf(picture: string): FramesAnswer {
  const frames = columnsOf(picture);
  const [selectionTotal] = frames.total;
  return { frames, path: [], selectionTotal, framesInFocus: frames.node.length, hiddenValue: 0, hiddenFrames: 0 };
}

const shown = ({ frames }: FramesAnswer) =>
  [...frames.name].map((name, row) => `${frames.names[name]} ${frames.total[row]} < ${frames.parent[row]}`);

describe("the prefix of a graph", () => {
  it("is one frame: what hung from any of its frames hangs from it, and no value is lost", () => {
    const answer = answerOf(PICTURE);
    answer.frames.self.set([0, 0, 0, 1, 1, 0, 6, 0, 90, 2]);
    answer.frames.hiddenValue[3] = 1;
    answer.frames.hiddenFrames[3] = 4;
    const fold = foldPrefix(answer)!;
    expect(shown(fold.answer)).toEqual([
      " 100 < 0",
      "Thread pool › Web server · 5 100 < 0",
      "java.util.List.forEach 96 < 1",
      "shop.Orders.get 90 < 2",
      "java.lang.Thread.run 90 < 3",
      "java.lang.Thread.sleep 2 < 1",
    ]);
    const sum = (columns: ArrayLike<number>) => Array.from(columns).reduce((all, value) => all + value, 0);
    for (const column of ["self", "hiddenValue", "hiddenFrames"] as const)
      expect(sum(fold.answer.frames[column])).toBe(sum(answer.frames[column]));
    expect([...fold.rows]).toEqual([0, 5, 6, 7, 8, 9]);
    // A zoom to it begins at the first of its frames.
    expect(fold.answer.frames.node[1]).toBe(1);
    expect([...foldedRows(fold, new Set([2, 8]))]).toEqual([1, 4]);
  });

  it("has at least three frames, ends with a frame of a server or framework, and leads to other code", () => {
    const two = "- 100\n  java.lang.Thread.run 100\n    org.apache.tomcat.A.run 100\n      shop.A.b 100";
    const onlyJdk = "- 9\n  java.util.A.b 9\n    java.util.C.d 9\n      java.util.E.f 9\n        shop.A.b 9";
    const idle = "- 9\n  java.lang.Thread.run 9\n    org.apache.tomcat.A.run 9\n      org.apache.tomcat.A.take 9";
    for (const picture of [two, onlyJdk, idle]) expect(foldPrefix(answerOf(picture))).toBeNull();
  });

  it("is the same however few of the samples have it", () => {
    const narrow = `${PICTURE}  C2Compiler::compile_method 9900\n`.replace("- 100", "- 10000");
    const words = (picture: string) => shown(foldPrefix(answerOf(picture))!.answer).slice(1, 4);
    expect(words(narrow)).toEqual(words(PICTURE));
  });

  it("is a separate one for each root and where stacks part", () => {
    const picture = `
      - 100
        GET/a 40
          java.lang.Thread.run 40
            org.apache.tomcat.A.run 40
              org.apache.tomcat.B.run 40
                shop.A.b 40
        java.lang.Thread.run 60
          io.netty.A.run 30
            io.netty.B.run 30
              io.netty.C.run 30
                shop.C.d 30
          org.eclipse.jetty.A.run 28
            org.eclipse.jetty.B.run 28
              org.eclipse.jetty.C.run 28
                shop.E.f 28
          org.eclipse.jetty.A.take 2
            org.eclipse.jetty.B.take 2
              org.eclipse.jetty.C.take 2
    `;
    const answer = answerOf(picture);
    answer.frames.frameType[1] = FrameType.Root;
    expect(shown(foldPrefix(answer)!.answer)).toEqual([
      " 100 < 0",
      "GET/a 40 < 0",
      "Thread pool › Web server · 3 40 < 1",
      "shop.A.b 40 < 2",
      "java.lang.Thread.run 60 < 0",
      "Netty · 3 30 < 4",
      "shop.C.d 30 < 5",
      "Web server · 3 28 < 4",
      "shop.E.f 28 < 7",
      "org.eclipse.jetty.A.take 2 < 4",
      "org.eclipse.jetty.B.take 2 < 9",
      "org.eclipse.jetty.C.take 2 < 10",
    ]);
  });

  it("is below the first of the callers that are of presets only, if other code is above", () => {
    const callers = `
      java.util.HashMap.put 90
        shop.Orders.get 90
          java.util.List.forEach 60
            jakarta.servlet.HttpServlet.service 60
              org.apache.tomcat.Worker.run 60
                java.lang.Thread.run 60
          shop.Main.main 30
            jakarta.servlet.HttpServlet.service 20
              shop.Main.start 20
        java.util.Map.of 0
          io.netty.A.a 0
            io.netty.A.b 0
    `;
    const fold = foldPrefix(answerOf(callers), true)!;
    expect(shown(fold.answer)).toEqual([
      "java.util.HashMap.put 90 < 0",
      "shop.Orders.get 90 < 0",
      "java.util.List.forEach 60 < 1",
      "Thread pool › Web server · 3 60 < 2",
      "shop.Main.main 30 < 1",
      "jakarta.servlet.HttpServlet.service 20 < 4",
      "shop.Main.start 20 < 5",
      "java.util.Map.of 0 < 0",
      "io.netty.A.a 0 < 7",
      "io.netty.A.b 0 < 8",
    ]);
    expect([...fold.chains]).toEqual([[3, [3, 4, 5]]]);
    // A zoom to the prefix shows it.
    const path = ["java.util.HashMap.put", "shop.Orders.get"].map((name, node) => ({ node, name, total: 90 }));
    const zoomed = "jakarta.servlet.HttpServlet.service 60\n  org.apache.tomcat.A.run 60\n    java.lang.Thread.run 60";
    expect(foldPrefix({ ...answerOf(zoomed), path }, true)).toBeNull();
  });

  it("may have others beside it: compilers, the collector, stacks that begin with no thread", () => {
    const picture = `
      - 100
        start_thread 100
          thread_native_entry 100
            CompileBroker::compiler_thread_loop 30
            JavaThread::run 60
              java.lang.Thread.run 60
                org.apache.tomcat.Worker.run 58
                  shop.Orders.get 58
    `;
    const { answer, rows } = foldPrefix(answerOf(picture))!;
    expect(shown(answer)).toEqual([
      " 100 < 0",
      "start_thread 100 < 0",
      "thread_native_entry 100 < 1",
      "CompileBroker::compiler_thread_loop 30 < 2",
      "Thread pool › Web server · 3 60 < 2",
      "shop.Orders.get 58 < 4",
    ]);
    expect([...rows]).toEqual([0, 1, 2, 3, 6, 7]);
  });

  it("ends where a tenth of the samples has left, and another one begins", () => {
    const chain = (totals: number[]) =>
      totals.map((total, i) => `${"  ".repeat(i + 1)}org.apache.tomcat.A.m${i} ${total}`).join("\n");
    const fold = foldPrefix(
      answerOf(`- 100\n${chain([100, 96, 95, 80, 80, 79, 78, 60, 60])}\n${"  ".repeat(10)}shop.A.b 60`),
    )!;
    expect([...fold.chains.values()]).toEqual([
      [1, 2, 3],
      [4, 5, 6, 7],
    ]);
    // The same of the ancestors of a zoom.
    const inside = foldPrefix({
      ...answerOf("shop.A.b 60"),
      path: [100, 100, 96, 95, 80, 80, 79, 78, 60].map((total, node) => ({
        node,
        name: node === 0 ? "" : "org.apache.tomcat.A.m",
        total,
      })),
    })!;
    expect(inside.answer.path.map(({ node, name }) => `${node} ${name}`).slice(1)).toEqual([
      "1 Web server · 3",
      "4 Web server · 4",
      "8 org.apache.tomcat.A.m",
    ]);
    expect(inside.steps).toEqual([0, 3, 7, 8]);
  });

  it("does not hide frames that stand for a value or a run already", () => {
    const answer = answerOf(PICTURE);
    answer.frames.frameType[3] = FrameType.Root;
    expect(foldPrefix(answer)).toBeNull();
    answer.frames.frameType[3] = FrameType.Run;
    expect(foldPrefix(answer)).toBeNull();
  });

  it("has the runs of presets, but not of a user's rules", () => {
    const picture = `
      - 100
        JDK · 15 100
          Web server 98
            Spring · 43 98
              shop.Orders.get 90
                JDK · 26 80
    `;
    const runs = (answer: FramesAnswer, rows: number[]) => {
      for (const row of rows) answer.frames.frameType[row] = FrameType.Run;
      return answer;
    };
    const fold = foldPrefix(runs(answerOf(picture), [1, 2, 3, 5]))!;
    expect(shown(fold.answer)).toEqual([
      " 100 < 0",
      "Web server › Spring · 3 100 < 0",
      "shop.Orders.get 90 < 1",
      "JDK · 26 80 < 2",
    ]);
    expect(foldPrefix(runs(answerOf(picture.replace("Web server", "Ours")), [1, 2, 3, 5]))).toBeNull();
    // Also above a zoom.
    const inside = answerOf("shop.Orders.get 90");
    inside.path = ["", "JDK · 15", "Web server", "Spring"].map((name, node) => ({ node, name, total: 100 }));
    expect(foldPrefix(inside)?.answer.path.map(({ name }) => name)).toEqual(["", "Web server › Spring · 3"]);
  });

  it("folds the ancestors of a zoom by the same rules", () => {
    const answer = answerOf("shop.Orders.get 90\n  java.lang.Thread.run 90");
    const names = ["", "start_thread", "java.lang.Thread.run", "org.apache.tomcat.Worker.run", "shop.Main.go"];
    answer.path = names.map((name, node) => ({ node, name, total: 100 - node }));
    const fold = foldPrefix(answer)!;
    expect(fold.answer.path.map(({ node, name }) => `${node} ${name}`)).toEqual([
      "0 ",
      "1 Thread pool › Web server · 3",
      "4 shop.Main.go",
    ]);
    expect(fold.steps).toEqual([0, 3, 4]);
    expect(shown(fold.answer)).toEqual(shown(answer));
  });
});

describe("the prefix of a comparison", () => {
  const diffOf = (base: number[]) => {
    const frames = answerOf(PICTURE);
    const total = frames.frames.total.slice();
    return { frames, total, baseTotal: Float64Array.from(base), baseNames: new Map([[8, "shop.Orders.get2"]]) };
  };

  it("is one frame with the values that both sides have in the first of its frames", () => {
    const { frames, total, baseTotal, baseNames, fold } = foldDiff<DiffColumns>(
      diffOf([50, 50, 50, 50, 49, 48, 48, 8, 8, 0]),
    );
    expect(shown(frames)).toEqual(shown(fold!.answer));
    expect([...total]).toEqual([100, 100, 96, 90, 90, 2]);
    expect([...baseTotal]).toEqual([50, 50, 48, 8, 8, 0]);
    expect([...baseNames]).toEqual([[4, "shop.Orders.get2"]]);
  });

  it("is only of frames that nearly all samples of both have in common", () => {
    const elsewhere = diffOf([50, 50, 50, 20, 10, 10, 10, 0, 0, 30]);
    expect(foldPrefix(elsewhere.frames)).not.toBeNull();
    expect(foldDiff(elsewhere)).toBe(elsewhere);
    // Of the ancestors of a zoom only the sum of both is known.
    const path = ["", "java.lang.Thread.run", "io.netty.A.a", "io.netty.A.b"].map((name, node) => ({
      ...{ node, name, total: 9 },
    }));
    const zoomed = foldDiff({ ...elsewhere, frames: { ...elsewhere.frames, path } });
    expect(zoomed.frames.path).toHaveLength(2);
    expect([...zoomed.baseTotal]).toEqual([...elsewhere.baseTotal]);
    expect([...zoomed.baseNames]).toEqual([[8, "shop.Orders.get2"]]);
  });
});

describe("the prefix of a call tree", () => {
  const row = (node: number, name: string, total: number, children: number, self = 0): TreeRow => ({
    ...{ node, name, frameType: 1, children, total: BigInt(total), self: BigInt(self) },
  });
  const below = new Map([
    [0, [row(1, "start_thread", 100, 2)]],
    [1, [row(2, "java.lang.Thread.run", 97, 2, 1), row(7, "GC", 3, 0, 3)]],
    [2, [row(3, "org.apache.tomcat.A.run", 92, 2), row(6, "shop.Sleep.b", 4, 0, 4)]],
    [3, [row(4, "shop.A.b", 90, 1), row(5, "shop.C.d", 2, 0, 2)]],
  ]);

  const chain = { nodes: [1, 2, 3], words: "Thread pool › Web server · 3" };

  it("is one row with the node and the value of its first frame, above what hung from any of them", () => {
    const fold = foldTree(below, [chain]);
    expect(fold.chains.get(1)!.map(({ node }) => node)).toEqual([1, 2, 3]);
    const [prefix] = fold.below.get(0)!;
    expect(prefix).toEqual({ ...row(1, "Thread pool › Web server · 3", 100, 4, 1), frameType: FrameType.Run });
    expect(fold.below.get(1)!.map(({ node }) => node)).toEqual([4, 6, 7, 5]);
    expect(prefix.total - prefix.self).toBe(fold.below.get(1)!.reduce((all, { total }) => all + total, 0n));
  });

  it("has the prefixes of its graph", () =>
    expect(nodeChains(answerOf(PICTURE))).toEqual([
      { ...chain, nodes: [1, 2, 3, 4, 5], words: "Thread pool › Web server · 5" },
    ]));

  it("needs all of its frames", () => {
    const fold = foldTree(new Map([...below].filter(([node]) => node !== 3)), [chain]);
    expect(fold.chains.size).toBe(0);
    expect(fold.below.get(0)).toEqual(below.get(0));
  });
});

describe("presetOf", () => {
  it("goes by the beginning of a name, or by the whole of it", () => {
    const of = (...names: string[]) => names.map((name) => presetOf(name) ?? "");
    expect(of("org.eclipse.jetty.Server.run", "io.netty.channel.A.b", "reactor.core.A.b")).toEqual([
      "web",
      "netty",
      "reactive",
    ]);
    expect(of("java.util.concurrent.Executors$RunnableAdapter.call", "java.util.List.get")).toEqual(["pool", "jdk"]);
    expect(of("JVM Continuation", "JVM Continuation 2", "shop.io.netty.A.b", "")).toEqual(["carrier", "", "", ""]);
  });
});

it("is one frame of samples in the order of time as it is of their graph", () => {
  const servers = ["start_thread", "java.lang.Thread.run", "org.apache.tomcat.Worker.run", "shop.Orders.get"];
  const names = [...servers, "shop.Orders.put"];
  const samples: Pick<OrderedSamples, "stack" | "offsets" | "items" | "names" | "types"> = {
    stack: Uint32Array.of(0, 0, 1, 2),
    offsets: Uint32Array.of(0, 4, 8, 9),
    items: Uint32Array.of(0, 1, 2, 3, 0, 1, 2, 4, 3),
    names,
    types: new Uint8Array(names.length).fill(FrameType.Jvm),
  };
  const { offsets, items, names: shownNames, types } = foldStacks(samples as OrderedSamples);
  const stacks = [0, 1, 2].map((stack) =>
    [...items.subarray(offsets[stack], offsets[stack + 1])].map((item) => `${shownNames[item]} ${types[item]}`),
  );
  const run = `Thread pool › Web server · 3 ${FrameType.Run}`;
  expect(stacks).toEqual([
    [run, `shop.Orders.get ${FrameType.Jvm}`],
    [run, `shop.Orders.put ${FrameType.Jvm}`],
    [`shop.Orders.get ${FrameType.Jvm}`],
  ]);
});
