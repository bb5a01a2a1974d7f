import { resetInput } from "./read/input";
import { resetStore } from "./store/store";
import { resetViews } from "./view/views";

/** An empty core: every pointer handed out before is void. Memory that was grown stays grown. */
export function reset(): void {
  resetStore();
  resetViews();
  resetInput();
}
