import { afterEach, describe, expect, it, vi } from "vitest";
import { openBrowser, openCommand } from "./open-browser.ts";

const URL = "http://127.0.0.1:8080/secret/?files&x=1";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("openBrowser", () => {
  it("uses the platform's own command", () => {
    expect(openCommand("linux", URL)).toEqual({ command: "xdg-open", args: [URL], verbatim: false });
    expect(openCommand("darwin", URL)).toEqual({ command: "open", args: [URL], verbatim: false });
    expect(openCommand("win32", URL).args).toEqual(["/c", "start", '""', URL.replace("&", "^&")]);
  });

  it("leaves a machine without a browser alone", async () => {
    vi.stubEnv("PATH", "");
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("uncaughtException", note);
    expect(() => openBrowser(URL)).not.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.off("uncaughtException", note);
    expect(unhandled).toEqual([]);
  });
});
