/** Opens the samples of a filter as a flame graph, in the profile that tells most of them. */
import type { Filter } from "../../../core/types.ts";
import { filterChipsOf } from "../../../model/query/chips.ts";
import { typeOfTrace } from "../../../model/query/find.ts";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import type { ViewProps } from "../answers/view-props.ts";
import { askOutline } from "./use-outline.ts";

export function useOpenFilter({ profile, tabs, act }: Pick<ViewProps, "profile" | "tabs" | "act">) {
  const onFailure = useFailure();
  return async (filter: Filter | null): Promise<void> => {
    if (filter === null) return;
    const found = await askOutline(filter);
    if (!found.ok) return onFailure(found.error);
    const profiles = tabs.flatMap((tab) => tab.profile ?? []);
    const carrying = found.value.split.map((row) => row.profile);
    const type = typeOfTrace(profiles, carrying, profile.type);
    act({ kind: "open", chips: filterChipsOf(filter), type, view: "flame" });
  };
}
