import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { ViewName } from "../../src/model/query/query.ts";
import { expectNothingByAxe, GRAPH, ROWS } from "../kit/axe.ts";
import { fixture, heaviest, SHOP } from "../kit/expected.ts";
import {
  allShown,
  chips,
  drop,
  expect,
  expectTotals,
  find,
  fromDisk,
  listBy,
  openFixture,
  rankBy,
  showView,
  tab,
  tabTo,
  test,
} from "../kit/page.ts";
import { VIEW_FACTS } from "../kit/view-facts.ts";
import { FRAME_VIEWS, RECORDING_VIEWS, WITH_EVERY_VIEW } from "../kit/view-lists.ts";
import { eachView } from "../kit/views.ts";

const [ROOT, ROOT_CELL] = heaviest(SHOP.localRoots, "cpu")[0] ?? ["", { samples: 0, value: 0 }];

const AGENT = fixture("recorded/ddagent-jdk17.jfr");

type State = [name: string, reach: (page: Page) => Promise<void>];

const showPanel = (id: string) => async (page: Page) => {
  await page.getByTestId(id).click();
  await expect(page.getByTestId(`${id}-panel`)).toBeVisible();
  await expect(page.getByTestId(`${id}-panel`).locator("*").first()).toBeVisible();
};

const panelOf = (id: string) => async (page: Page) => {
  await openFixture(page, AGENT);
  await showPanel(id)(page);
};

/** Views with a state of their own below. */
const OWN_STATE: readonly ViewName[] = ["flame", "diff"];

const showList = (name: string) => async (page: Page) => {
  await listBy(page, name);
  await expect(page.getByTestId("rank-row").first()).toHaveAttribute("data-id", /\d/);
};

/** States that Escape ends, or the next one: the page is opened once for all of a name. */
const LOOKS: [name: string, hash: string, states: State[]][] = [
  [
    "lists",
    "#sort=samples",
    ["operation", "endpoint", "root", "span", "thread"].map((name): State => [`list by ${name}`, showList(name)]),
  ],
  [
    "views",
    "#by=root",
    RECORDING_VIEWS.filter((view) => !OWN_STATE.includes(view)).map(
      (view): State => [
        view,
        async (page) => {
          await showView(page, view);
          await expect(page.locator(VIEW_FACTS[view].shows).first()).toBeVisible();
        },
      ],
    ),
  ],
  [
    "panels, menus and dialogs",
    "#by=root",
    [
      ...["explorer-help", "about", "coverage", "other-events"].map((id): State => [id, showPanel(id)]),
      [
        "keys",
        async (page) => {
          await page.keyboard.press("?");
          await expect(page.getByTestId("shortcuts-dialog")).toBeVisible();
        },
      ],
      [
        "about the recording, in full",
        async (page) => {
          await showPanel("about")(page);
          await page.getByTestId("about-more").click();
          await expect(page.getByTestId("recording-dialog")).toBeVisible();
        },
      ],
      [
        "links for tracing tools",
        async (page) => {
          await showPanel("share")(page);
          await page.getByTestId("share-templates").locator("summary").click();
          await expect(page.getByTestId("share-template").first()).toBeVisible();
        },
      ],
      [
        "the menu of a frame",
        async (page) => {
          await page.getByTestId("flame").press("Shift+F10");
          await expect(page.getByTestId("frame-menu")).toBeVisible();
        },
      ],
      [
        "export of a picture",
        async (page) => {
          await page.getByTestId("export").click();
          await page.getByTestId("format-png").check({ force: true });
          await expect(page.getByTestId("colours-light")).toBeVisible();
        },
      ],
    ],
  ],
];

const STATES: State[] = [
  ["welcome", async (page) => void (await page.goto("./#view=flame"))],
  [
    "loaded",
    async (page) => {
      await openFixture(page, fixture("shop.jfr"));
      await expect(page.getByTestId("rank-row").first()).toHaveAttribute("data-id", /\d/);
    },
  ],
  [
    "details of a selection, no timeline",
    async (page) => {
      await openFixture(page, fixture("shop.jfr"));
      await page.getByTestId("rank-row").first().click();
      await page.getByTestId("selection-more").click();
      await expect(page.getByTestId("copy-hex-id")).toBeVisible();
      await page.getByTestId("timeline-hide").click();
      await expect(page.getByTestId("timeline-show")).toBeVisible();
    },
  ],
  [
    "filtered and zoomed",
    async (page) => {
      await openFixture(page, fixture("shop.jfr"));
      await page.getByTestId("rank-row").first().click();
      await expect(chips(page)).toHaveCount(1);
      await page.getByTestId("flame").locator("g.frame").nth(3).click();
      await expect(page.getByTestId("breadcrumb")).toBeVisible();
    },
  ],
  [
    "no samples",
    async (page) => {
      await openFixture(page, fixture("shop.jfr"));
      await find(page, "1");
      await expect(page.getByTestId("no-samples")).toBeVisible();
      await find(page, "nonsense");
      await expect(page.getByRole("alert")).toBeVisible();
    },
  ],
  [
    "no samples, in every view",
    async (page) => {
      await openFixture(page, fixture("shop.jfr"));
      await find(page, "1");
      await expect(page.getByTestId("no-samples")).toBeVisible();
      await eachView(page, () => expectNothingByAxe(page, { without: [ROWS] }));
    },
  ],
  [
    "a link without its file",
    async (page) => {
      await page.goto(`./#root=${ROOT}&view=chart`);
      await expect(page.getByTestId("link-note")).toBeVisible();
    },
  ],
  [
    "loading",
    async (page) => {
      // The script that shows recordings does not come.
      await page.route(/\/recording-[^/]*\.js$/, () => {});
      await page.goto("about:blank");
      await page.goto("./#view=flame");
      await drop(page, fromDisk(AGENT));
      await expect(page.getByTestId("progress")).toBeVisible();
    },
  ],
  [
    "suggestions of the search box, and none",
    async (page) => {
      await openFixture(page, AGENT);
      await page.keyboard.press("Control+k");
      await expect(page.getByTestId("find-row").first()).toBeVisible();
      await expectNothingByAxe(page, { without: [GRAPH, ROWS] });
      await page.keyboard.type("nothing like it");
      await expect(page.getByTestId("find-none")).toBeVisible();
    },
  ],
  [
    "a file beside the open one",
    async (page) => {
      await openFixture(page, AGENT);
      await page.getByTestId("file-input").setInputFiles(fixture("shop.jfr"));
      await expect(page.getByTestId("join-dialog")).toBeVisible();
    },
  ],
  [
    "a note while it is written",
    async (page) => {
      await openFixture(page, AGENT);
      await page.getByTestId("timeline-from").press("Shift+ArrowRight");
      await page.getByTestId("note-add").click();
      await expect(page.getByTestId("note-text")).toBeVisible();
    },
  ],
  [
    "a file that is cut off",
    async (page) => {
      await page.goto("about:blank");
      await page.goto("./#view=flame");
      const bytes = readFileSync(fixture("shop.jfr"));
      await drop(page, { name: "half.jfr", bytes: bytes.subarray(0, bytes.length / 2) });
      await page.getByTestId("message").getByText("Details").click();
    },
  ],
  ...(["map", "time"] as const).map(
    (shape): State => [
      `requests as ${shape}`,
      async (page) => {
        await openFixture(page, AGENT, `#operations=${shape}`);
        await showView(page, "operations");
        await expect(page.getByTestId(shape === "map" ? "span-map" : "request-time")).toBeVisible();
      },
    ],
  ),
  [
    "a frame in the drawer",
    async (page) => {
      await openFixture(page, AGENT);
      await page.getByTestId("frame-drawer-open").click();
      await expect(page.getByTestId("frame-drawer")).toBeVisible();
    },
  ],
  [
    "every view on a phone",
    async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await openFixture(page, AGENT, "#attr=thread.name%3Dworker-1");
      await eachView(page, () => expectNothingByAxe(page, { without: [GRAPH, ROWS] }));
    },
  ],
  [
    "refused",
    async (page) => {
      await page.goto("about:blank");
      await page.goto("./#view=flame");
      await drop(page, { name: "notes.txt", bytes: new TextEncoder().encode("hello") });
      await expect(page.getByTestId("message")).toBeVisible();
    },
  ],
  [
    "with diagnostics",
    async (page) => {
      await page.goto("about:blank");
      await page.goto("./#view=flame");
      await drop(page, { name: "notes.txt", bytes: new TextEncoder().encode("hello") }, fromDisk(fixture("shop.jfr")));
      await allShown(page);
    },
  ],
  [
    "list by an attribute, narrowed, in vain",
    async (page) => {
      await openFixture(page, AGENT);
      await rankBy(page, "tenant");
      await page.getByTestId("rows").fill("nobody");
      await expect(page.getByText("No row matches nobody.")).toBeVisible();
      await page.getByTestId("rows").fill("/(/");
      await expect(page.getByRole("alert")).toBeVisible();
    },
  ],
  [
    "few samples of a chosen span",
    async (page) => {
      await openFixture(page, AGENT, "#type=wall&sort=samples");
      await showList("span")(page);
      await page.getByTestId("rank-row").first().click();
      await expect(page.getByTestId("scope")).toBeVisible();
      await page.getByTestId("rank-reversed").click();
      await expect(page.getByTestId("rank-few").first()).toBeVisible();
    },
  ],
  [
    "comparison",
    async (page) => {
      await openFixture(page, AGENT, "#attr=thread.name%3Dworker-1");
      await page.getByTestId("view-diff").click();
      await expect(page.getByTestId("diff-base")).toBeVisible();
      await allShown(page);
    },
  ],
  ...WITH_EVERY_VIEW.map(
    ([name, files]): State => [
      `every view of ${name}`,
      async (page) => {
        test.setTimeout(120_000);
        await page.goto("./#view=flame");
        await drop(page, ...files());
        await eachView(page, () => expectNothingByAxe(page, { without: [GRAPH, ROWS] }));
      },
    ],
  ),
  ...FRAME_VIEWS.filter((view) => view !== "flame").map(
    (view): State => [
      `${view}, with frames found`,
      async (page) => {
        await openFixture(page, AGENT, "#attr=thread.name%3Dworker-1&search=demo&top=name&diff=functions");
        await showView(page, view);
        if (view === "top") await page.getByTestId("only-found").check();
        await expect(page.locator("[data-match]").first()).toBeVisible();
        await page.getByTestId("search").focus();
        await expect(page.getByTestId("search-only")).toBeVisible();
      },
    ],
  ),
  [
    "settings of the graph, with a pattern that is none",
    async (page) => {
      await panelOf("view-menu")(page);
      await page.getByTestId("merge").fill("a(");
      await expect(page.getByTestId("merge-error")).toBeVisible();
    },
  ],
  [
    "callers, with frames found",
    async (page) => {
      await openFixture(page, AGENT, "#grouping=callers&search=run");
      await expect(page.locator("g[data-match]").first()).toBeVisible();
    },
  ],
  [
    "threads, with a range of time",
    async (page) => {
      await openFixture(page, AGENT);
      await page.getByTestId("lanes-toggle").click();
      await page.getByTestId("timeline-from").press("Shift+ArrowRight");
      await expect(chips(page)).toHaveCount(1);
      await expect(page.getByTestId("lane").first()).toBeVisible();
    },
  ],
  [
    "heat map, with a range of time and a cell",
    async (page) => {
      await openFixture(page, AGENT, "#timeline=heat&jvm=yes&attr=thread.name%3Dworker-1");
      await page.getByTestId("heat-cells").focus();
      await page.keyboard.press("Shift+ArrowLeft");
      await page.keyboard.press("Enter");
      await page.getByTestId("zoom-selection").click();
      await expect(page.getByTestId("minimap")).toBeVisible();
      await page.getByTestId("heat-cells").focus();
      await expect(page.getByTestId("heat-words")).toContainText("of them selected");
    },
  ],
  [
    "export to a file, with the recording",
    async (page) => {
      await openFixture(page, AGENT);
      await page.getByTestId("export").click();
      await page.getByTestId("export-more").locator("summary").first().click();
      await page.getByTestId("export-recording").check();
      await page.getByTestId("attributes").locator("summary").click();
      await page.getByTestId("attribute-add").click();
      await expect(page.getByTestId("recording-warning")).toBeVisible();
    },
  ],
  [
    "a narrow window, with the drawer open",
    async (page) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await openFixture(page, AGENT);
      await page.getByTestId("drawer").click();
      await expect(page.getByTestId("rank-row").first()).toBeVisible();
    },
  ],
  [
    "many files, with a trend, a damaged file and a range of time",
    async (page) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto("./#type=cpu&view=flame");
      const damaged = { name: "notes.txt", bytes: new TextEncoder().encode("hello") };
      await drop(page, fromDisk(AGENT), fromDisk(fixture("shop.jfr")), damaged);
      await expect(page.getByTestId("collection-cancel")).toHaveCount(0);
      await page.getByTestId("files-trend").click();
      await page.getByTestId("file-histogram").press("ArrowRight");
      await expect(page.getByTestId("file-trend")).toBeVisible();
      await expect(page.getByTestId("file-brush")).toBeVisible();
    },
  ],
  [
    "a file of several, with ways to the others",
    async (page) => {
      await page.goto("about:blank");
      await page.goto("./#view=flame");
      await drop(page, fromDisk(AGENT), fromDisk(fixture("shop.jfr")), fromDisk(fixture("shop.jfr")));
      await page.getByTestId("files-open").click();
      await allShown(page);
      await expect(page.getByTestId("file-steps")).toBeVisible();
    },
  ],
  [
    "export to a receiver, refused",
    async (page) => {
      await openFixture(page, AGENT);
      await page.getByTestId("export").click();
      await page.getByTestId("target-receiver").check();
      await page.getByTestId("header-add").click();
      await page.getByTestId("endpoint").fill("nowhere");
      await page.getByTestId("export-send").click();
      await expect(page.getByTestId("send-log")).toContainText("not an http or https address");
    },
  ],
  [
    "objects, with an event added",
    async (page) => {
      await openFixture(page, AGENT, "#type=alloc-samples&measure=objects&event=jdk.ThreadStart");
      await page.getByTestId("other-events").click();
      await expect(page.getByRole("button", { name: "Remove jdk.ThreadStart" })).toBeVisible();
    },
  ],
];

/** Whose graphs are drawn in another way than those of the others. */
const OWN_GRAPH = new Set(["loaded", "filtered and zoomed", "sandwich", "comparison", "callers, with frames found"]);
/** Whose list has other rows than those of the others, or is seen in another way. */
const OWN_ROWS =
  /^(loaded|details of a selection|filtered|no samples|with diagnostics|list by|few samples|a narrow window|objects)/;

async function expectNothingByDayAndNight(page: Page, [name, reach]: State): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await reach(page);
  const look = { without: [...(OWN_GRAPH.has(name) ? [] : [GRAPH]), ...(OWN_ROWS.test(name) ? [] : [ROWS])] };
  await expectNothingByAxe(page, look);
  // Nothing but the colours is another.
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(background).not.toBe(light);
  await expectNothingByAxe(page, { ...look, coloursOnly: true });
}

for (const state of STATES) {
  test(`axe finds nothing: ${state[0]}, by day and by night`, async ({ page }) => {
    test.setTimeout(120_000);
    await expectNothingByDayAndNight(page, state);
  });
}

for (const [name, hash, states] of LOOKS) {
  test(`axe finds nothing: ${name} of a recording, by day and by night`, async ({ page }) => {
    test.setTimeout(240_000);
    await openFixture(page, AGENT, hash);
    for (const state of states) {
      await test.step(state[0], async () => {
        // A panel that a dialog was opened from is hidden, and stays.
        await page.keyboard.press("Escape");
        const shown = page.locator("[data-testid$=-panel], [role=dialog], [role=menu]").filter({ visible: true });
        await expect(shown).toHaveCount(0);
        await expectNothingByDayAndNight(page, state);
      });
    }
  });
}

test("axe looks at a text again whose colours are others", async ({ page }) => {
  await page.goto("./#view=flame");
  const text = page.getByTestId("open-sample");
  await expect(text).toBeVisible();
  await expectNothingByAxe(page);
  await text.evaluate((element) => {
    element.style.color = "#888";
    element.style.background = "#777";
  });
  await expect(expectNothingByAxe(page)).rejects.toThrow("color-contrast");
});

test("in high contrast bars and what is chosen are still seen", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await openFixture(page, AGENT);
  const row = page.getByTestId("rank-row").first();
  await row.click();
  await expect(row).toHaveAttribute("aria-selected", "true");
  await expect(row).toHaveCSS("outline-style", "solid");
  const bar = row.locator("span").first();
  const highlight = await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", "<p id=probe></p>");
    const probe = document.querySelector<HTMLElement>("#probe");
    probe?.style.setProperty("background-color", "Highlight");
    return probe === null ? "" : getComputedStyle(probe).backgroundColor;
  });
  await expect(bar).toHaveCSS("background-color", highlight);
  await expect(page.getByTestId("view-flame")).toHaveCSS("outline-style", "solid");
});

test("the theme can be chosen, is kept, and passes too", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("./?sample#view=flame");
  await allShown(page);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  const theme = page.getByTestId("theme");
  await theme.click();
  await page.getByTestId("theme-light").click();
  await expect(theme).toHaveAccessibleName("Colours: Light");
  await theme.press("Enter");
  await expect(page.getByTestId("theme-system")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(theme).toHaveAccessibleName("Colours: Dark");
  const dark = await background();
  expect(dark).not.toBe(light);
  await expectNothingByAxe(page, { without: [GRAPH] });
  await page.reload();
  await allShown(page);
  expect(await background()).toBe(dark);
});

test("all of it can be done with the keyboard alone", async ({ page }) => {
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  await page.goto("./#view=flame");
  await tabTo(page, page.getByTestId("open-sample"));
  await press("Enter");
  await expectTotals(page, { samples: 899, value: 899 });

  // Another profile by arrow, and back.
  await tabTo(page, tab(page, "cpu"));
  await press("ArrowRight");
  await expectTotals(page, { samples: 2859, value: 2859 });
  await press("ArrowLeft");
  await expectTotals(page, { samples: 899, value: 899 });

  // The second root of the list.
  await tabTo(page, page.getByTestId("by-endpoint"));
  await press("ArrowRight", "ArrowRight");
  await expect(page.getByTestId("by-root")).toHaveAttribute("aria-selected", "true");
  const list = page.getByRole("listbox");
  await tabTo(page, list);
  const second = page.getByTestId("rank-row").nth(1);
  // The rows of endpoints stay until those of roots are there.
  await expect(second).toHaveAttribute("data-id", /^\d{8,}$/);
  const id = (await second.getAttribute("data-id")) ?? "";
  await press("ArrowDown", "Enter");
  await expect(chips(page)).toHaveText([`request${id}`]);
  await expect(page.getByTestId("total-samples")).not.toHaveAttribute("data-exact", "899");
  const samples = Number(await page.getByTestId("total-samples").getAttribute("data-exact"));
  expect(samples).toBeLessThan(899);

  // Into the graph, two frames down, zoom, and read.
  const flame = page.getByTestId("flame");
  await tabTo(page, flame);
  await press("ArrowDown", "ArrowDown", "Enter");
  await expect(page.getByTestId("breadcrumb").getByRole("listitem")).toHaveCount(3);
  await expect(page.getByTestId("frame-detail")).toContainText(/Java · .*\d+ samples? \(≈ \d+ ms\) · .* of parent/);
  await press("Escape");
  await expect(page.getByTestId("breadcrumb")).toHaveCount(0);

  // The root as OTLP: into the dialog, and out of it to where it was opened.
  const waiting = page.waitForEvent("download");
  await tabTo(page, page.getByTestId("export"), "Shift+Tab");
  await press("Enter");
  await expect(page.getByTestId("format-otlp")).toBeFocused();
  await tabTo(page, page.getByTestId("export-download"), "Shift+Tab");
  await press("Enter");
  expect((await waiting).suggestedFilename()).toBe(`sample.all.root-${id}.pb`);
  await expect(page.getByTestId("export-said")).toContainText(/\d+ samples in \d+ profiles/);
  await press("Escape");
  await expect(page.getByTestId("export")).toBeFocused();

  await tabTo(page, page.getByRole("button", { name: `Remove request ${id}` }));
  await press("Enter");
  await expectTotals(page, { samples: 899, value: 899 });
});

test("an id can be typed and confirmed without the mouse", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await tabTo(page, page.getByTestId("id-input"));
  await page.keyboard.type(ROOT);
  await page.keyboard.press("Enter");
  // It opens on Wall.
  await expectTotals(page, SHOP.localRoots[ROOT]?.wall ?? ROOT_CELL);
});
