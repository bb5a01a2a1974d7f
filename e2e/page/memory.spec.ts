/** Using the page for long leaves no memory behind: after many actions and files the first recording takes as much. */
import type { CDPSession, Page } from "@playwright/test";
import { Random } from "../../test/kit/random.ts";
import { fixture } from "../kit/expected.ts";
import { allShown, drop, expect, fromDisk, inWorker, openFixture, showView, tab, test } from "../kit/page.ts";
import { viewsOn } from "../kit/views.ts";

// What other tests left behind counts as memory of the process.
test.use({ reuseContext: false });

const ACTIONS = 200;
const FILES = ["shop.jfr", "shop-chunks.jfr"];
const OPENINGS = 20;
const MOST = 1.1;

/** In workers: the bytes of all memories of wasm. */
const counting = () => {
  const memories = new Set<WebAssembly.Memory>();
  const { instantiate } = WebAssembly;
  const known = (instance: WebAssembly.Instance) => {
    for (const each of Object.values(instance.exports)) if (each instanceof WebAssembly.Memory) memories.add(each);
    return instance;
  };
  WebAssembly.instantiate = (async (...given: Parameters<typeof instantiate>) => {
    const made: unknown = await instantiate(...given);
    known(made instanceof WebAssembly.Instance ? made : (made as WebAssembly.WebAssemblyInstantiatedSource).instance);
    return made;
  }) as typeof instantiate;
  Object.assign(globalThis, {
    wasmBytes: () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
  });
};

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[]] } };
  nodes: number[];
}

/** Bytes of the page's objects and buffers. Code is left out: the browser compiles more of it the longer it runs. */
async function bytesOfObjects(cdp: CDPSession): Promise<number> {
  const parts: string[] = [];
  const keep = ({ chunk }: { chunk: string }) => void parts.push(chunk);
  cdp.on("HeapProfiler.addHeapSnapshotChunk", keep);
  await cdp.send("HeapProfiler.collectGarbage");
  await cdp.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  cdp.off("HeapProfiler.addHeapSnapshotChunk", keep);
  const { snapshot, nodes }: Snapshot = JSON.parse(parts.join(""));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf("type"), fields.indexOf("self_size")];
  const code = types[0].indexOf("code");
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (nodes[at + type] !== code) bytes += nodes[at + size] ?? 0;
  }
  return bytes;
}

/** Bytes of the page's objects, and of the cores in its workers. */
async function memoryOf(page: Page, cdp: CDPSession): Promise<{ page: number; cores: number }> {
  const ofWorkers = page
    .workers()
    .map((worker) =>
      worker.evaluate(() => (globalThis as { wasmBytes?: () => number }).wasmBytes?.() ?? 0).catch(() => 0),
    );
  const cores = (await Promise.all(ofWorkers)).reduce((sum, bytes) => sum + bytes, 0);
  return { page: await bytesOfObjects(cdp), cores };
}

async function open(page: Page, file: string, name: string): Promise<void> {
  await drop(page, { ...fromDisk(fixture(file)), name });
  await expect(page.getByTestId("files")).toContainText(name);
  await showView(page, "flame");
  await allShown(page);
}

const shown = (page: Page) => expect(page.locator("[role=tabpanel]").last()).not.toBeEmpty();

/** Something that a user may do with any recording. */
async function act(page: Page, random: Random, views: Awaited<ReturnType<typeof viewsOn>>): Promise<void> {
  const flame = page.getByTestId("flame");
  const kind = random.below(6);
  if (kind === 0) await showView(page, random.pick(views));
  else if (kind === 1) await tab(page, random.pick(["cpu", "wall"])).click();
  else if (kind === 2) await page.keyboard.press("Control+z");
  else if (kind === 3 && (await page.getByTestId("rank-row").count()) > 0)
    await page.getByTestId("rank-row").first().click();
  else if (kind === 4 && (await flame.count()) === 1) {
    // By keys: frames may be others by the time of a click.
    for (const key of ["ArrowDown", random.pick(["ArrowLeft", "ArrowRight"]), "Enter"]) await flame.press(key);
  } else await page.keyboard.press("Escape");
  await shown(page);
}

test("200 actions and 20 opened files leave at most a tenth more memory", async ({ page }) => {
  // Some two minutes where many programs share one processor.
  test.setTimeout(600_000);
  await inWorker(page, `(${counting})()`);
  const cdp = await page.context().newCDPSession(page);
  const random = new Random(38, 0);
  await openFixture(page, fixture("shop.jfr"));
  const views = await viewsOn(page);
  const round = async (actions: number, openings: number) => {
    for (let i = 0; i < openings; i++) {
      for (let j = 0; j < actions / openings; j++) await act(page, random, views);
      await open(page, FILES[i % 2] ?? "", `${i}.jfr`);
    }
    for (const view of views) await showView(page, view);
    await open(page, "shop.jfr", "first.jfr");
  };
  // The code of all views is loaded, and there are as many recordings to go back to as the page keeps.
  await round(20, 10);
  const first = await memoryOf(page, cdp);
  await round(ACTIONS, OPENINGS);
  const most = { page: MOST * first.page, cores: MOST * first.cores };
  expect(first.cores).toBeGreaterThan(0);
  await expect
    .poll(async () => {
      const now = await memoryOf(page, cdp);
      return now.page <= most.page && now.cores <= most.cores;
    })
    .toBe(true);
});
