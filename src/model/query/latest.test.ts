import { describe, expect, it } from "vitest";
import { Latest } from "./latest.ts";

/** A job that ends when told to. */
function job(name: string, log: string[]) {
  let finish: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    finish,
    run: async () => {
      log.push(`start ${name}`);
      await ended;
      return name;
    },
  };
}

describe("Latest", () => {
  it("skips questions overtaken while waiting, and drops stale answers", async () => {
    const log: string[] = [];
    const latest = new Latest();
    const [a, b, c] = ["a", "b", "c"].map((name) => job(name, log));
    for (const { run } of [a, b, c]) latest.ask(run, (answer) => log.push(`answer ${answer}`));
    a.finish();
    c.finish();
    await new Promise((resolve) => setTimeout(resolve));
    expect(log).toEqual(["start a", "start c", "answer c"]);
  });

  it("answers one question after the other", async () => {
    const log: string[] = [];
    const latest = new Latest();
    for (const name of ["a", "b"]) {
      const { run, finish } = job(name, log);
      finish();
      latest.ask(run, (answer) => log.push(`answer ${answer}`));
      await new Promise((resolve) => setTimeout(resolve));
    }
    expect(log).toEqual(["start a", "answer a", "start b", "answer b"]);
  });

  it("says nothing after forget", async () => {
    const log: string[] = [];
    const latest = new Latest();
    const { run, finish } = job("a", log);
    latest.ask(run, (answer) => log.push(`answer ${answer}`));
    latest.forget();
    finish();
    await new Promise((resolve) => setTimeout(resolve));
    expect(log).toEqual(["start a"]);
  });
});
