/** The commands of the search box: views, profiles, lists, filters, and actions of the top bar. */

import type { Command } from "../../../model/query/suggestions.ts";
import type { UndoableAction } from "../../../model/query/undo.ts";
import { formatCounted } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { isOffered, runCommand } from "../../parts/commands/commands.ts";
import { copyText } from "../../primitives/clipboard/copy-text.ts";
import { showToast } from "../../primitives/toast/toasts.ts";
import { type Parts, viewsOf } from "../../views/views.ts";
import { settleAddress } from "../recording/address.ts";

/** What the commands act on. */
export interface CommandedPage extends Pick<ViewProps, "tabs" | "query"> {
  act: (action: UndoableAction) => void;
  parts: Parts;
  onTheme: () => void;
}

const LISTS: [by: string, name: string][] = [
  ["endpoint", "endpoints"],
  ["operation", "operations"],
  ["root", "requests"],
  ["span", "spans"],
  ["thread", "threads"],
];

export function pageCommands({ tabs, query, act, parts, onTheme }: CommandedPage): Command[] {
  const command = (id: string, label: string, run: () => void, keys?: string): Command => {
    return { id, label, run, ...(keys !== undefined && { keys }) };
  };
  return [
    ...viewsOf(parts)
      .filter(({ id }) => id !== query.view)
      .map(({ id, label, form, title }) => {
        const name = form === undefined ? label : `Flame ${form.toLowerCase()}`;
        // The words of the tabs; a title that has others is found as well.
        return command(
          `view-${id}`,
          `Show view: ${name}`,
          () => act({ kind: "view", view: id }),
          title === name ? undefined : title,
        );
      }),
    ...tabs.flatMap(({ type, label, profile }) =>
      profile === null
        ? []
        : command(
            `type-${type}`,
            `Show profile: ${visible(label, 60)}`,
            () => act({ kind: "type", type }),
            profile.exact ? undefined : formatCounted(profile.samples, "sample"),
          ),
    ),
    ...LISTS.map(([by, name]) => command(`list-${by}`, `List ${name}`, () => act({ kind: "explore", by }))),
    command("threads", "Show timeline of threads", () => act({ kind: "timeline", timeline: "threads" })),
    command("heat", "Show heat map", () => act({ kind: "timeline", timeline: "heat" })),
    command("clear", "Clear all filters", () => act({ kind: "clear" })),
    command("undo", "Undo filter change", () => act({ kind: "undo" }), "Ctrl+Z"),
    command("redo", "Redo filter change", () => act({ kind: "redo" }), "Ctrl+Shift+Z"),
    command("export", "Export…", () => runCommand("export")),
    ...(isOffered("pauses") ? [command("pauses", "List the longest pauses…", () => runCommand("pauses"))] : []),
    ...(isOffered("symbols")
      ? [command("symbols", "Show symbols of native frames…", () => runCommand("symbols"))]
      : []),
    command("link", "Copy link to this view", () => void copyLink()),
    command("theme", "Change colour theme", onTheme),
    command("shortcuts", "Show keyboard shortcuts", () => runCommand("shortcuts"), "?"),
  ];
}

async function copyLink(): Promise<void> {
  settleAddress();
  const copied = await copyText(location.href);
  if (copied) showToast({ tone: "success", text: "Link copied." });
  else showToast({ tone: "error", text: "The browser blocked copying. Copy the address from its address bar." });
}
