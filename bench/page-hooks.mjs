/** What the benches of the page do in it: actions that answer the time until their result is painted. */

/** Each view, and an element that shows that it is complete. The forms of the flame graph are shown from that. */
export const VIEWS = {
  sandwich: "[data-testid=callees-of] g.frame",
  top: "[data-testid=top-row]:not([data-id=''])",
  tree: "[data-testid=tree-row]",
  diff: "[data-testid=diff-base], [data-testid=diff-nothing]",
  overview: "[data-testid=why]",
  flame: "[data-testid=folded]",
};

/** Of any version of the page: the overview had another name. */
export const tabOf = (view) => `[data-testid=view-${view}]${view === "overview" ? ", [data-testid=view-why]" : ""}`;

/** Runs in the page, where `window.bench` has the actions then. */
export function prepare() {
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
    type: "longtask",
  });
  /**
   * Style, layout and paint follow an animation frame's callbacks; a message sent from such a callback arrives after
   * them.
   */
  const painted = (then) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = then;
      port2.postMessage(null);
    });
  /** Milliseconds from `act` until a change below `where` has made `ready` true, and is painted. */
  const until = (ready, act, where = document.body, attributeFilter = ["data-id"]) =>
    new Promise((resolve) => {
      const start = performance.now();
      const observer = new MutationObserver(() => {
        if (!ready()) return;
        observer.disconnect();
        painted(() => resolve(performance.now() - start));
      });
      observer.observe(where, { subtree: true, childList: true, attributes: true, attributeFilter });
      act();
    });
  const find = (selector) => document.querySelector(selector);
  const DRAWN = ["width", "x", "transform", "fill", "class", "data-match"];
  /** Waits until the boxes of the graph have changed. */
  const time = (act) => until(() => true, act, find("[data-testid=flame] svg"), DRAWN);
  /** What the graph has drawn: another object for each recording. */
  const drawing = () => {
    const canvas = find("[data-testid=flame] canvas");
    return canvas === null ? find("[data-testid=flame] g.frame") : canvas.__data__;
  };
  /**
   * From the drop of a file until its first picture is painted, in the view that opens. The page prepares for files
   * when they are dragged over it, so the drop follows later, as with a real pointer.
   */
  const drop = async (file) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(file);
    const send = (type) => document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true }));
    const before = drawing();
    send("dragenter");
    await new Promise((resolve) => setTimeout(resolve, 300));
    const isDrawn = () => drawing() !== null && drawing() !== before;
    const ready = () => find("[data-testid=progress]") === null && (find("[data-testid=why-headline]") || isDrawn());
    return until(ready, () => send("drop"), document.body, DRAWN);
  };
  const press = (selector) =>
    time(() => find(selector).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })));
  /** Until another graph is painted, which may have the same boxes: the first moments may have no sample. */
  const pressKey = (selector, key) => {
    const [start, before] = [performance.now(), drawing()];
    const changed = time(() => {
      const element = find(selector);
      element.focus();
      element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    });
    const replaced = new Promise((resolve) => {
      const look = () =>
        drawing() === before ? requestAnimationFrame(look) : painted(() => resolve(performance.now() - start));
      look();
    });
    return Promise.race([changed, replaced]);
  };
  /** As if all letters came at once. */
  const type = (selector, text) =>
    time(() => {
      const element = find(selector);
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(element, text);
      element.dispatchEvent(new Event("input", { bubbles: true }));
    });
  /** Until the list shows other rows. */
  const rows = (button) => {
    const ids = () => [...document.querySelectorAll("[data-testid=rank-row]")].map((row) => row.dataset.id).join(" ");
    const before = ids();
    const ready = () => ids() !== before && ids().trim() !== "";
    return until(ready, () => find(button).click());
  };
  /** Waits until the content of a tab is displayed. */
  const show = (tab, there) =>
    until(
      () => find(there) !== null,
      () => find(tab).click(),
      document.body,
      ["data-id", "aria-busy"],
    );
  /** From an id that is pasted, and Enter, until the sentence about it is settled. */
  const paste = (selector, id) => {
    const sentence = () => find("[data-testid=why-sentence][aria-busy=false]");
    const before = sentence()?.textContent;
    const isTold = () => sentence() !== null && sentence().textContent !== before;
    return until(
      isTold,
      () => {
        const element = find(selector);
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(element, id);
        element.dispatchEvent(new Event("input", { bubbles: true }));
        element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
      },
      document.body,
      ["aria-busy"],
    );
  };
  window.bench = { tasks, drop, rows, press, pressKey, type, show, paste };
}
