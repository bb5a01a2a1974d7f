/** The custom element `<span-flame>`: options as attributes and properties, events as CustomEvents. */
import { createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { shadowOf } from "./shadow.ts";
import type {
  Announce,
  ViewerData,
  ViewerEvents,
  ViewerFilter,
  ViewerOptions,
  ViewerRecording,
  ViewerTheme,
  ViewerView,
} from "./types.ts";
import { Viewer } from "./Viewer.tsx";

export const TAG = "span-flame";

/** Attributes, and the options that they are. */
const ATTRIBUTES = {
  src: "src",
  unit: "unit",
  type: "type",
  measure: "measure",
  "local-root": "localRoot",
  span: "span",
  search: "search",
  view: "view",
  function: "function",
  theme: "theme",
} as const satisfies Record<string, keyof ViewerOptions>;

/** Where the attribute is absent; "" for the others. */
const DEFAULTS: ViewerOptions = { view: "flame", theme: "auto" };

/** Options that are properties only. */
const PROPERTIES = ["data", "filter", "recording"] as const;
type Properties = Pick<ViewerOptions, (typeof PROPERTIES)[number]>;

/** Modules may be imported where there are no elements: by a server that renders pages. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** An event of the element. It does not bubble, as `load` and `error` of the browser's own elements. */
export type SpanFlameEvent<K extends keyof ViewerEvents> = CustomEvent<ViewerEvents[K]>;

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the interface has properties and methods that exist
export class SpanFlameElement extends Base {
  static readonly observedAttributes: readonly string[] = Object.keys(ATTRIBUTES);

  private root: Root | null = null;
  private held: Properties = {};
  private shown: ViewerRecording | undefined;

  constructor() {
    super();
    // A label of the page is of a group.
    this.attachInternals().role = "group";
  }

  connectedCallback(): void {
    for (const name of PROPERTIES) this.takeOver(name);
    this.root ??= createRoot(shadowOf(this));
    this.draw();
  }

  disconnectedCallback(): void {
    // An element that is only moved is connected again in the same task, and keeps its recording.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.root?.unmount();
      this.root = null;
    });
  }

  attributeChangedCallback(): void {
    this.draw();
  }

  /** Bytes of a file, or a prepared tree. It takes precedence over `src`. */
  get data(): ViewerData | undefined {
    return this.held.data;
  }

  set data(data: ViewerData | undefined) {
    this.hold({ data });
  }

  /** Further conditions on the samples. */
  get filter(): ViewerFilter | undefined {
    return this.held.filter;
  }

  set filter(filter: ViewerFilter | undefined) {
    this.hold({ filter });
  }

  /** An open recording to share, which takes precedence over `data` and `src`; else, from `ready` on, the one shown. */
  get recording(): ViewerRecording | undefined {
    return this.held.recording ?? this.shown;
  }

  set recording(recording: ViewerRecording | undefined) {
    this.hold({ recording });
  }

  private hold(held: Properties): void {
    this.held = { ...this.held, ...held };
    this.draw();
  }

  /** A property that was set before the element was defined hides the one of the class. */
  private takeOver(name: (typeof PROPERTIES)[number]): void {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    delete this[name];
    Object.assign(this, { [name]: value });
  }

  private draw(): void {
    if (this.root === null) return;
    const options: Record<string, unknown> = { ...this.held };
    for (const [name, option] of Object.entries(ATTRIBUTES)) options[option] = this.getAttribute(name) ?? undefined;
    this.root.render(createElement(Viewer, { options: options as ViewerOptions, announce: this.announce }));
  }

  private readonly announce: Announce = (event, detail) => {
    if ("recording" in detail) this.shown = detail.recording;
    this.dispatchEvent(new CustomEvent(event, { detail }));
  };
}

export interface SpanFlameElement {
  src: string;
  unit: string;
  type: string;
  measure: string;
  get localRoot(): string;
  set localRoot(id: string | bigint);
  get span(): string;
  set span(id: string | bigint);
  search: string;
  view: ViewerView;
  function: string;
  theme: ViewerTheme;
  addEventListener<K extends keyof ViewerEvents>(
    type: K,
    listener: (this: SpanFlameElement, event: SpanFlameEvent<K>) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

for (const [name, option] of Object.entries(ATTRIBUTES)) {
  Object.defineProperty(SpanFlameElement.prototype, option, {
    configurable: true,
    get(this: SpanFlameElement) {
      return this.getAttribute(name) ?? DEFAULTS[option] ?? "";
    },
    set(this: SpanFlameElement, value: unknown) {
      this.setAttribute(name, String(value));
    },
  });
}

declare global {
  interface HTMLElementTagNameMap {
    "span-flame": SpanFlameElement;
  }
}

/** Defines the element, unless it is defined already. */
export function defineSpanFlame(): void {
  if (globalThis.customElements?.get(TAG) === undefined) globalThis.customElements?.define(TAG, SpanFlameElement);
}
