import { describe, expect, it } from "vitest";
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import { columnsOf } from "../../../test/kit/flame.ts";
import type { FramesAnswer } from "../../core/types.ts";
import type { OrderedSamples, TreeRow } from "../../core/view-types.ts";
import { type DiffColumns, foldDiff, foldedRows, foldPrefix, foldStacks, foldTree, presetOf } from "./prefix.ts";

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

  it("has at least three frames, each of most samples, and ends with a frame of a server or framework", () => {
    const two = "- 100\n  java.lang.Thread.run 100\n    org.apache.tomcat.A.run 100\n      shop.A.b 100";
    const narrow = PICTURE.replace("- 100", "- 201");
    const onlyJdk = "- 9\n  java.util.A.b 9\n    java.util.C.d 9\n      java.util.E.f 9\n        shop.A.b 9";
    for (const picture of [two, narrow, onlyJdk]) expect(foldPrefix(answerOf(picture))).toBeNull();
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

  it("is the longest part of the frames above the first of own code, by their samples", () => {
    const chain = (totals: number[]) =>
      totals.map((total, i) => `${"  ".repeat(i + 1)}org.apache.tomcat.A.m${i} ${total}`).join("\n");
    const fold = foldPrefix(answerOf(`- 100\n${chain([100, 96, 95, 80, 80, 79, 78, 60, 60, 60])}`))!;
    expect(fold.chain).toEqual([4, 5, 6, 7]);
    // The same part, of the ancestors of a zoom.
    const inside = foldPrefix({
      ...answerOf("shop.A.b 60"),
      path: [100, 100, 96, 95, 80, 80, 79, 78, 60].map((total, node) => ({
        node,
        name: "org.apache.tomcat.A.m",
        total,
      })),
    })!;
    expect(inside.answer.path.map(({ node, name }) => `${node} ${name}`).slice(3, 6)).toEqual([
      "3 org.apache.tomcat.A.m",
      "4 Web server · 4",
      "8 org.apache.tomcat.A.m",
    ]);
    expect(inside.steps).toEqual([0, 1, 2, 3, 7, 8]);
  });

  it("does not hide frames that stand for a value or a run already", () => {
    const answer = answerOf(PICTURE);
    answer.frames.frameType[2] = FrameType.Root;
    expect(foldPrefix(answer)).toBeNull();
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

  it("is only of frames that most samples of both begin with", () => {
    const elsewhere = diffOf([50, 50, 50, 20, 20, 20, 20, 0, 0, 30]);
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

  it("is one row with the node and the value of its first frame, above what hung from any of them", () => {
    const fold = foldTree(below, 100)!;
    expect(fold.chain.map(({ node }) => node)).toEqual([1, 2, 3]);
    const [prefix] = fold.below.get(0)!;
    expect(prefix).toEqual({ ...row(1, "Thread pool › Web server · 3", 100, 4, 1), frameType: FrameType.Run });
    expect(fold.below.get(1)!.map(({ node }) => node)).toEqual([4, 6, 7, 5]);
    expect(prefix.total - prefix.self).toBe(fold.below.get(1)!.reduce((all, { total }) => all + total, 0n));
  });

  it("needs most of the samples", () => expect(foldTree(below, 201)).toBeNull());
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

it("is one frame of each stack of samples in the order of time, of the same name where it is the same", () => {
  const servers = ["start_thread", "java.lang.Thread.run", "org.apache.tomcat.Worker.run", "shop.Orders.get"];
  const names = [...servers, "shop.Orders.put"];
  const samples: Pick<OrderedSamples, "offsets" | "items" | "names" | "types"> = {
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
