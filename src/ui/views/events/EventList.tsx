import { ChevronLeft, Flame, Plus, X } from "lucide-react";
import { type RefObject, useEffect, useId, useRef, useState } from "react";
import { MOST_FRAMES } from "../../../model/events/telling.ts";
import { heldFilter } from "../../../model/waits/held.ts";
import { formatCounted, formatNanos, formatValue } from "../../../model/words/format.ts";
import { hexId } from "../../../model/words/ids.ts";
import { formatMoment } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import type { EventChoice, EventTypeRow, ListedEvent } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import { usePages } from "../../parts/answers/use-pages.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { FrameName, MiddleText } from "../../parts/grid/FrameName.tsx";
import { type Column, figure, fitColumns, SortedTable } from "../../parts/grid/SortedTable.tsx";
import { useActiveRow } from "../../parts/grid/VirtualGrid.tsx";
import { useOpenFilter } from "../../parts/selection/open-filter.ts";
import beside from "../../parts/view/Side.module.css";
import { Select } from "../../primitives/field/Select.tsx";
import { Button, Icon, IconButton } from "../../primitives/icon/Icon.tsx";
import css from "./EventsView.module.css";
import { Histogram } from "./Histogram.tsx";

interface Props extends ViewProps {
  choice: EventChoice;
  /** Undefined where the selection has no event of the type. */
  row: EventTypeRow | undefined;
  /** Where starts count from. */
  zero: bigint | null;
}

/** The events of a type, in order, with a histogram of one of its fields. */
export function EventList({ choice, row, zero, ...props }: Props) {
  const { query, act, width } = props;
  const { of, field } = query.events;
  const { filter, find } = choice;
  const by = useSame(field === "" ? null : { event: of, value: field });
  const own = useSame({ filter, find, field: by });
  const question = useSame({ own, of });
  const { count, answer, isCurrent, rowAt, need } = usePages(question, (asked, offset, limit) =>
    viewer.eventList(asked.own, asked.of, offset, limit),
  );
  const [active, setActive] = useActiveRow(question);
  const root = useRef<HTMLDivElement>(null);
  const { shown, focus, open, close } = useDetail(root, question);
  const chosen = shown ? rowAt(active) : undefined;
  const unit = answer?.histogram?.unit ?? null;
  const room = chosen !== undefined && width > WIDE ? width - SIDE : width;
  return (
    <div ref={root} className={beside.sides} aria-busy={!isCurrent}>
      <div className={css.list}>
        <Head {...{ of, field, row, act }} hasValue={answer?.histogram != null} />
        {answer?.histogram != null && (
          <Histogram {...answer.histogram} of={field || (unit === NANOS ? "duration" : "value")} />
        )}
        {isCurrent && field !== "" && count === 0 && row !== undefined && (
          <p className={css.note} role="status" data-testid="events-note">
            {visible(field, 80)} has no numbers that add up.
          </p>
        )}
        <SortedTable
          label={`Events of the type ${visible(of, 160)}. Enter shows fields and stack.`}
          testId="event-list"
          columns={fitColumns(columnsOf({ zero, unit, field: visible(field, 40) }), room)}
          order={IN_ORDER}
          onOrder={() => {}}
          ascending={[]}
          count={count ?? 0}
          active={active}
          onActive={(index, { type }) => {
            setActive(index);
            if (type === "click") open(false);
          }}
          onOpen={() => open(true)}
          onView={need}
          rowAt={rowAt}
          describe={({ number }) => ({ id: String(number) })}
        />
      </div>
      {chosen !== undefined && <Detail {...props} {...{ event: chosen, choice: own, focus }} onClose={close} />}
    </div>
  );
}

const NANOS = "nanoseconds";

/** CSS pixels. */
const WIDE = 900;
const SIDE = 380;

const IN_ORDER = { sort: "start", reversed: false } as const;
const DIGITS = 3;
/** Fields of a row; the detail has all. */
const MOST_FIELDS = 8;

interface Shown {
  zero: Props["zero"];
  /** Of the values; null without any. */
  unit: string | null;
  field: string;
}

function columnsOf({ zero, unit, field }: Shown): Column<ListedEvent, "start">[] {
  const amount: Column<ListedEvent, "start"> = {
    ...{ label: field || (unit === NANOS ? "duration" : "value"), room: 88 },
    cell: ({ durationNano, value }) =>
      figure(
        durationNano !== null ? formatNanos(Number(durationNano)) : value && formatValue(value.amount, value.unit),
      ),
  };
  const start: Column<ListedEvent, "start"> = {
    ...{ label: "start", about: "Since the first event of the selection", room: 80 },
    cell: ({ startUnixNano }) => figure(zero === null ? "" : formatNanos(Number(startUnixNano - zero))),
  };
  return [start, ...(unit === null ? [] : [amount]), ...TEXTS];
}

const TEXTS: Column<ListedEvent, "start">[] = [
  {
    ...{ label: "thread", room: "minmax(0, 1fr)", least: 96, isText: true, rank: 1, leaves: 100 },
    cell: ({ thread }) => <MiddleText text={visible(thread || "(no name)", 120)} />,
  },
  {
    ...{ label: "fields", room: "minmax(0, 3fr)", least: 100, isText: true },
    cell: ({ fields }) =>
      fields.slice(0, MOST_FIELDS).map(([name, value]) => (
        <span key={name} className={css.field}>
          <span className={css.key}>{visible(name, 80)}</span> {visible(value, 200)}
        </span>
      )),
  },
];

/** The detail of the active row: whether it is shown, and whether a key asked for it. */
function useDetail(root: RefObject<HTMLElement | null>, question: unknown) {
  const [{ of, focus }, set] = useState<{ of: unknown; focus: object | null }>({ of: null, focus: null });
  const open = (isKey: boolean) => set({ of: question, focus: isKey ? {} : null });
  const close = () => {
    set({ of: null, focus: null });
    root.current?.querySelector<HTMLElement>("[role=grid]")?.focus();
  };
  return { shown: of === question, focus, open, close };
}

interface HeadProps extends Pick<ViewProps, "act">, Pick<Props, "row"> {
  of: string;
  field: string;
  hasValue: boolean;
}

function Head({ of, field, row, act, hasValue }: HeadProps) {
  const id = useId();
  const hasDuration = row !== undefined && row.durationNano !== null;
  const fields = row?.fields.filter((name) => !hasDuration || name !== "duration") ?? [];
  const plain = hasValue && field === "" ? "value" : "choose a field";
  return (
    <div className={css.head}>
      <Button testId="events-all" onClick={() => act({ kind: "events", events: { of: "", field: "" } })}>
        <Icon of={ChevronLeft} size={14} /> All types
      </Button>
      <h2 className={css.title} data-testid="events-of" title={visible(of, 200)}>
        {visible(of, 160)}
      </h2>
      <span className={css.count} data-testid="events-figures">
        {row === undefined
          ? "no event in the selection"
          : `${formatCounted(row.count, "event")}${row.durationNano === null ? "" : `, ${formatNanos(Number(row.durationNano))}`}`}
      </span>
      {fields.length > 0 && (
        <label className={css.by} htmlFor={id}>
          Histogram of
          <Select
            id={id}
            testId="events-field"
            value={field}
            options={[
              ["", hasDuration ? "duration" : plain],
              ...fields.map((name) => [name, visible(name, 60)] as const),
            ]}
            onChange={(value) => act({ kind: "events", events: { field: value } })}
          />
        </label>
      )}
      {row !== undefined && (row.isOther || field !== "") && (
        <Button
          testId="events-profile"
          tip="Reads the files again, with these events as a profile"
          onClick={() => {
            act({ kind: "add-event", extra: field === "" ? { event: of } : { event: of, value: field } });
            act({ kind: "view", view: "flame" });
          }}
        >
          <Icon of={Plus} size={14} /> Make this a profile
        </Button>
      )}
    </div>
  );
}

interface DetailProps extends Pick<ViewProps, "profile" | "tabs" | "act"> {
  event: ListedEvent;
  choice: EventChoice;
  /** It takes the focus, because a key opened it; another object is another request. */
  focus: object | null;
  onClose: () => void;
}

/** The least time whose samples are shown, around the middle of the event. */
const LEAST_NANOS = 20_000_000n;

/** Figures, fields and stack of an event. Escape closes it. */
function Detail({ event, choice, focus, onClose, ...props }: DetailProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (focus !== null) panel.current?.focus();
  }, [focus]);
  const question = useSame({ choice, number: event.number });
  const answered = useAnswer(question, (asked) => viewer.eventStack(asked.choice, asked.number));
  const stack = answered?.question === question ? answered.answer : null;
  const openFilter = useOpenFilter(props);
  const { startUnixNano, durationNano, thread, localRoot, span, value, type } = event;
  const length = durationNano ?? 0n;
  const pad = length < LEAST_NANOS ? (LEAST_NANOS - length) / 2n : 0n;
  const then = { startUnixNano: startUnixNano - pad, durationNano: length + 2n * pad };
  const meanwhile = heldFilter({ ...event, ...then });
  const figures: [string, string][] = [
    ["Start", formatMoment(startUnixNano, DIGITS)],
    ...(durationNano === null ? [] : [["Duration", formatNanos(Number(durationNano))] as [string, string]]),
    ...(value === null ? [] : [["Value", formatValue(value.amount, value.unit)] as [string, string]]),
    ["Thread", visible(thread || "(no name)", 120)],
    ...(localRoot === null ? [] : [["Request", `0x${hexId(localRoot)}`] as [string, string]]),
    ...(span === null ? [] : [["Span", `0x${hexId(span)}`] as [string, string]]),
    ...event.fields.map(([name, text]): [string, string] => [visible(name, 80), visible(text, 1000)]),
  ];
  return (
    <aside
      ref={panel}
      className={beside.side}
      tabIndex={-1}
      aria-label={`Event ${visible(type, 160)}`}
      data-testid="event-detail"
      onKeyDown={(pressed) => {
        if (pressed.key !== "Escape") return;
        pressed.stopPropagation();
        onClose();
      }}
    >
      <div className={css.sideHead}>
        <Button
          testId="event-flame"
          tip="What its thread did in this time, at least 20 ms of it"
          disabled={meanwhile === null}
          onClick={() => void openFilter(meanwhile)}
        >
          <Icon of={Flame} size={14} /> Flame graph of its thread then
        </Button>
        <IconButton icon={X} label="Close the event" tip="Close (Escape)" testId="event-close" onClick={onClose} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do */}
      <section className={beside.body} tabIndex={0} aria-label="Fields and stack">
        <dl className={css.figures} data-testid="event-fields">
          {figures.map(([name, text], i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a field may be named like a figure
            <div key={i}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        {stack !== null && stack.length === 0 && <p className={css.count}>No stack was recorded.</p>}
        {stack !== null && stack.length > 0 && (
          <ol className={css.stack} data-testid="event-stack" aria-label="Stack">
            {stack.slice(0, MOST_FRAMES).map((frame, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a function may be in a stack several times
              <li key={i} title={frame}>
                <FrameName text={frame} />
              </li>
            ))}
          </ol>
        )}
      </section>
    </aside>
  );
}
