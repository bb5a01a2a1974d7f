import { describe, expect, it } from "vitest";
import type { Core } from "../core/core.ts";
import { LARGEST_DOWNLOAD, writeDownload } from "./writing.ts";

/** Says that it writes so many bytes; they are not there. */
function coreOf(part: number, times: number): Pick<Core, "writeTo"> {
  const view = Object.defineProperty(new Uint8Array(0), "length", { value: part });
  return {
    writeTo: (_profile, _filter, _options, sink) => {
      for (let i = 0; i < times; i++) sink(view);
      return { size: part * times, profiles: 1, samples: 1, observations: 1 };
    },
  };
}

const REQUEST = {
  profile: null,
  filter: {},
  options: { format: "collapsed" },
  gzip: false,
  withRecordings: false,
} as const;

describe("a download", () => {
  it("has a largest size, which the message names with what to do", async () => {
    const part = 2 ** 24;
    const most = LARGEST_DOWNLOAD / part;
    expect(await writeDownload(coreOf(part, most), REQUEST, [])).toMatchObject({ size: LARGEST_DOWNLOAD });
    await expect(writeDownload(coreOf(part, most + 1), REQUEST, [])).rejects.toMatchObject({
      code: "download.large",
      message: expect.stringMatching(/collapsed.*2 GiB.*spanflame convert/i),
    });
  });
});
