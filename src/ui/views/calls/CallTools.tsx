import { type FormEvent, useId, useState } from "react";
import type { CallPart, CallPartName } from "../../../core/types.ts";
import { visible } from "../../../model/words/text.ts";
import type { CallsOverview } from "../../../worker/api.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { ViewTools } from "../../parts/view/ViewTools.tsx";
import { Choice } from "../../primitives/choice/Choice.tsx";
import { useDebouncedText } from "../../primitives/debounce/use-debounced-text.ts";
import { Select } from "../../primitives/field/Select.tsx";
import css from "./CallsView.module.css";

interface Props extends Pick<ViewProps, "act"> {
  calls: CallsOverview;
  parts: readonly CallPart[];
}

/** A million calls are searched in a second: the worker gets a text once the user pauses. */
const PAUSE_MS = 200;
const ANY = "";
/** Least durations, ms. */
const DURATIONS = [
  { value: ANY, label: "any", title: "Calls of any duration" },
  { value: "100", label: "100 ms", title: "Calls of 100 ms and longer" },
  { value: "500", label: "500 ms", title: "Calls of 500 ms and longer" },
  { value: "1000", label: "1 s", title: "Calls of 1 s and longer" },
  { value: "5000", label: "5 s", title: "Calls of 5 s and longer" },
  { value: "30000", label: "30 s", title: "Calls of 30 s and longer" },
];

/** Filters of the list of calls. Each becomes a chip; calls that were picked one by one are picked no more. */
export function CallTools({ calls, parts, act }: Props) {
  const texts = (name: CallPartName) => parts.flatMap((part) => (part.part === name ? [part.text] : []));
  const replace = (name: CallPartName, wanted: readonly string[]) =>
    act({ kind: "calls", calls: [...withoutPicked(parts, name), ...wanted.map((text) => ({ part: name, text }))] });
  const one = (name: CallPartName) => texts(name).at(-1) ?? ANY;
  const choose = (name: CallPartName) => (text: string) => replace(name, text === ANY ? [] : [text]);
  const [search, setSearch] = useDebouncedText(one("text"), PAUSE_MS, (text) => choose("text")(text.trim()));
  const servers = [...new Set(calls.runs.map(({ server }) => server))].filter((server) => server !== "");
  const hasUnrecorded = calls.recorded < calls.count;
  return (
    <ViewTools>
      <input
        type="search"
        className={css.search}
        aria-label="Search calls: each word has to occur, and words after a minus must not"
        data-tip="Each word has to occur; words after a minus must not: checkout -health"
        placeholder="Search calls"
        data-testid="calls-search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ParamForm onParam={(part, text) => replace(part, [...new Set([...texts(part), text])])} />
      <Choice
        legend="Least duration"
        options={withOther(one("min"))}
        value={one("min")}
        onChange={choose("min")}
        testId="calls-min"
      />
      {hasUnrecorded && (
        <Select
          aria-label="Calls with and without a record"
          className={css.pick}
          options={optionsOf("all calls", ["recorded", "unrecorded"])}
          value={one("roots")}
          onChange={choose("roots")}
          testId="calls-roots"
        />
      )}
      {servers.length > 1 && (
        <Select
          aria-label="Server"
          className={css.pick}
          options={optionsOf("all servers", servers)}
          value={one("server")}
          onChange={choose("server")}
          testId="calls-server"
        />
      )}
      {calls.runs.length > 1 && (
        <Select
          aria-label="Run of a JVM"
          className={css.pick}
          options={optionsOf(
            "all runs",
            calls.runs.map(({ label }) => label),
          )}
          value={one("run")}
          onChange={choose("run")}
          testId="calls-run"
        />
      )}
    </ViewTools>
  );
}

/** Conditions but those of a name, and but those that pick among the calls listed. */
function withoutPicked(parts: readonly CallPart[], name: CallPartName): CallPart[] {
  return parts.filter(({ part }) => part !== name && part !== "ids");
}

/** A link may have another duration. */
function withOther(min: string) {
  if (DURATIONS.some(({ value }) => value === min)) return DURATIONS;
  return [...DURATIONS, { value: min, label: `${min} ms`, title: `Calls of ${min} ms and longer` }];
}

/** Words for no condition, and for each. */
const optionsOf = (all: string, options: readonly string[]) => [
  [ANY, all] as const,
  ...options.map((option) => [option, visible(option, 60)] as const),
];

/** `tenant=acme`, or `tenant!=acme` for the calls without it. */
function ParamForm({ onParam }: { onParam: (part: "param" | "not-param", text: string) => void }) {
  const [text, setText] = useState("");
  const hint = useId();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const [, name = "", not = "", value = ""] = /^([^=]*?)(!?)=(.*)$/s.exec(text.trim()) ?? [];
    if (name === "") return;
    onParam(not === "" ? "param" : "not-param", `${name}=${value}`);
    setText("");
  };
  return (
    <form onSubmit={onSubmit}>
      <input
        className={css.param}
        aria-label="Parameter of calls"
        aria-describedby={hint}
        placeholder="parameter=value"
        data-testid="calls-param"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <span id={hint} className="visually-hidden">
        NAME=VALUE and Enter keeps the calls with this parameter, NAME!=VALUE those without it.
      </span>
    </form>
  );
}
