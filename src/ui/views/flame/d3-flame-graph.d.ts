/** d3-flame-graph 5.0.0 ships no types; these are the parts used here. */
declare module "d3-flame-graph" {
  import type { Selection } from "d3-selection";

  /** What the library makes of one datum: a d3-hierarchy node, laid out in the unit square. */
  export interface Frame<Datum> {
    data: Datum;
    id: number;
    depth: number;
    x0: number;
    x1: number;
    parent: Frame<Datum> | null;
  }

  /** Called with the svg, shown and hidden by the library. */
  export interface Tooltip<Datum> {
    (svg: unknown): void;
    show(event: MouseEvent, frame: Frame<Datum>): void;
    hide(): void;
    destroy?(): void;
  }

  /** A selection of the one element the graph is drawn in. */
  export type Host<Datum> = Selection<HTMLElement, Datum, null, undefined>;

  export interface FlameChart<Datum> {
    (host: Host<Datum>): void;
    width(px: number): this;
    cellHeight(px: number): this;
    transitionDuration(ms: number): this;
    inverted(inverted: boolean): this;
    resetHeightOnZoom(reset: boolean): this;
    getName(name: (frame: Frame<Datum>) => string): this;
    getValue(value: (datum: Datum) => number): this;
    getChildren(children: (datum: Datum) => Datum[]): this;
    setColorMapper(colour: (frame: Frame<Datum>, original: string) => string): this;
    setLabelHandler(label: (frame: Frame<Datum>) => string): this;
    setDetailsHandler(handler: (text: string | null) => void): this;
    tooltip(tooltip: Tooltip<Datum>): this;
    update(data?: Datum): this;
    destroy(): this;
  }

  export default function flamegraph<Datum>(): FlameChart<Datum>;
}
