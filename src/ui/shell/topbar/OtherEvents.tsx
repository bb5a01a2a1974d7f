import { Plus } from "lucide-react";
import { memo, useId, useState } from "react";
import type { EventType, ExtraEvent } from "../../../core/types.ts";
import { formatCount } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { Select } from "../../primitives/field/Select.tsx";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { Popover } from "../../primitives/popover/Popover.tsx";
import css from "./OtherEvents.module.css";

interface Props {
  /** Events with a stack trace that have no profile. */
  types: EventType[];
  /** Those that were made one. */
  extra: ExtraEvent[];
  onAdd: (extra: ExtraEvent) => void;
  onRemove: (extra: ExtraEvent) => void;
}

/** Fewer are seen at a glance. */
const FILTER_FROM = 8;

/** Any other event of the recording as a profile: the files are read once more for it. */
export const OtherEvents = memo(function OtherEvents({ types, extra, onAdd, onRemove }: Props) {
  if (types.length === 0 && extra.length === 0) return null;
  return (
    <Popover
      label={<Icon of={Plus} />}
      look="icon"
      name="Other events…"
      title="Add a profile of another event type"
      testId="other-events"
    >
      {(close) => (
        <>
          <Choice
            types={types}
            onChoose={(chosen) => {
              close();
              onAdd(chosen);
            }}
          />
          {extra.length > 0 && (
            <ul className={css.extra} aria-label="Events added">
              {extra.map((each) => (
                <li key={nameOf(each)}>
                  <bdi className={css.event}>{visible(nameOf(each), 120)}</bdi>
                  <Button
                    aria-label={`Remove ${visible(nameOf(each), 120)}`}
                    onClick={() => {
                      close();
                      onRemove(each);
                    }}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Popover>
  );
});

function Choice({ types, onChoose }: { types: EventType[]; onChoose: (chosen: ExtraEvent) => void }) {
  const [text, setText] = useState("");
  const [picked, setPicked] = useState("");
  const [field, setField] = useState("");
  const group = useId();
  const words = text.trim().toLowerCase();
  const shown = types.filter(({ event }) => event.toLowerCase().includes(words));
  const type = shown.find(({ event }) => event === picked) ?? shown[0];
  const value = type?.fields.includes(field) ? field : "";

  return (
    <form
      className={css.choice}
      onSubmit={(event) => {
        event.preventDefault();
        if (type !== undefined) onChoose(value === "" ? { event: type.event } : { event: type.event, value });
      }}
    >
      <p className={css.hint}>
        Event types with stack traces that have no profile yet. Adding one reads the files again.
      </p>
      {types.length >= FILTER_FROM && (
        <input
          type="search"
          className={css.filter}
          aria-label="Filter the events"
          placeholder="filter"
          data-first
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <fieldset className={css.list}>
        <legend className="visually-hidden">Event</legend>
        {shown.map(({ event, count }) => (
          <label key={event} className={css.row}>
            <input
              type="radio"
              name={group}
              data-first={event === type?.event && types.length < FILTER_FROM ? true : undefined}
              checked={event === type?.event}
              onChange={() => setPicked(event)}
            />
            <bdi className={css.event}>{visible(event, 120)}</bdi>
            <span className={css.count}>{formatCount(count)}</span>
          </label>
        ))}
        {shown.length === 0 && <p className={css.hint}>No event type matches.</p>}
      </fieldset>
      <div className={css.actions}>
        <label className={css.by} htmlFor={`${group}-by`}>
          weighed by
          <Select
            id={`${group}-by`}
            testId="other-field"
            value={value}
            disabled={type === undefined || type.fields.length === 0}
            options={[["", "count"], ...(type?.fields ?? []).map((name) => [name, visible(name, 60)] as const)]}
            onChange={setField}
          />
        </label>
        <button type="submit" data-look="primary" data-testid="other-show" disabled={type === undefined}>
          Show profile
        </button>
      </div>
    </form>
  );
}

function nameOf({ event, value }: ExtraEvent): string {
  return value === undefined ? event : `${event} · ${value}`;
}
