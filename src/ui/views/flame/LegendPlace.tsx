/** The legend of a graph in the line below it, or behind a button where the words about a frame need the room. */
import { Palette } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useSurroundings } from "../../parts/answers/surroundings.ts";
import { Icon } from "../../primitives/icon/Icon.tsx";
import css from "./LegendStrip.module.css";

/** Room for a frame's name and its value. */
const WORDS_PX = 280;

interface Props {
  /** The legend in the line, which has the test id, or another one in a panel. */
  children: (isPanel: boolean) => ReactNode;
}

export function LegendPlace({ children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const { popover: Popover } = useSurroundings();
  const fits = useFits(place) || Popover === null;
  return (
    <div ref={place} className={css.place} data-away={!fits || undefined} data-scrolls={Popover === null || undefined}>
      {children(false)}
      {!fits && Popover !== null && (
        <Popover
          label={
            <>
              <Icon of={Palette} size={14} /> <span className={css.button}>Legend</span>
              <span className={css.question}>Which packages are yours?</span>
            </>
          }
          title="What the colours of the graph are"
          look="quiet"
          testId="legend-open"
          className={css.open}
        >
          {() => children(true)}
        </Popover>
      )}
    </div>
  );
}

/** Whether the legend and the least of the words before it fit into the line that both are in. */
function useFits(place: RefObject<HTMLDivElement | null>): boolean {
  const [fits, setFits] = useState(true);
  useEffect(() => {
    const line = place.current?.parentElement;
    const strip = place.current?.firstElementChild;
    if (line == null || strip == null) return;
    const observer = new ResizeObserver(() => {
      if (line.clientWidth > 0) setFits(strip.scrollWidth + WORDS_PX <= line.clientWidth);
    });
    for (const each of [line, strip]) observer.observe(each);
    return () => observer.disconnect();
  }, [place]);
  return fits;
}
