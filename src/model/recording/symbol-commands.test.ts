import { describe, expect, it } from "vitest";
import { symbolCommands } from "./symbol-commands.ts";

const ID = "2de3e4d4c1b0a9f8";
const commandsOf = (name: string, buildId: string) => symbolCommands(name, buildId).map(({ command }) => command);

describe("commands that find a debug file", () => {
  it("name the build id, the path in a tree of build ids, and the library", () => {
    const commands = commandsOf("libjvm.so", ID);
    expect(commands.some((command) => command.endsWith(`debuginfod-find debuginfo ${ID}`))).toBe(true);
    expect(commands.some((command) => command.includes("/usr/lib/debug/.build-id/2d/e3e4d4c1b0a9f8.debug"))).toBe(true);
    expect(commands.filter((command) => command.includes("find / -name libjvm.so"))).toHaveLength(3);
  });

  it("need a build id only where they look for one", () => {
    expect(commandsOf("libc.so.6", "").map((command) => command.split(" ")[0])).toEqual(["docker", "kubectl"]);
    expect(commandsOf("libc.so.6", "$(reboot)")).toEqual(commandsOf("libc.so.6", ""));
  });

  it("have no text of a recording that a shell would run", () => {
    for (const name of ["$(reboot).so", "a b", "-delete", "`id`", "lib\u202e.so", "x\n", "';id;'"]) {
      expect(commandsOf(name, ID)).toEqual(commandsOf("LIBRARY", ID));
    }
  });
});
