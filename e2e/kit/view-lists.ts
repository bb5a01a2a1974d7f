/** Lists of views for browser tests, made from the rows of view-facts.ts and from the page's tabs. */
import { FORMS, VIEWS, type ViewName } from "../../src/model/query/query.ts";
import type { Dropped } from "./page.ts";
import { FILES, VIEW_FACTS } from "./view-facts.ts";

export const WITH_EVERY_VIEW: [name: string, files: () => Dropped[]][] = Object.values(FILES);

/** Views of every recording with times and spans. */
export const RECORDING_VIEWS = VIEWS.filter((view) => VIEW_FACTS[view].of === "recordings");

export const FRAME_VIEWS = VIEWS.filter((view) => VIEW_FACTS[view].frames);

/** The forms of the flame graph beside the graph, which share its tab. */
export const OTHER_FORMS = FORMS.slice(1);

/** The views of tabs by their test ids, in their order: all forms of the tab that they share. */
export function viewsOfTabs(testIds: readonly string[]): ViewName[] {
  const ids = testIds.map((id) => id.replace(/^view-/, "") as ViewName);
  return ids.flatMap((id) => (id === FORMS[0] ? FORMS : [id]));
}

/** Pictures of views by their name. */
export const VIEW_PICTURES: Record<string, ViewName> = Object.fromEntries(
  VIEWS.flatMap((view) => (VIEW_FACTS[view].picture === null ? [] : [[VIEW_FACTS[view].picture, view]])),
);
